/** Query parameters of a call; undefined ones are not sent. */
export type Query = Record<string, string | number | undefined>
