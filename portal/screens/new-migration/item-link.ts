/** The part of an address that says which item to copy. */
export interface ItemLink {
  source?: string | undefined
  destination?: string | undefined
  sourceStorefront?: string | undefined
  destStorefront?: string | undefined
  /** Kind and id. */
  pick: string
  name?: string | undefined
  strategy?: 'skip' | 'update' | undefined
}

export const pickPattern = /^[a-z-]+:[1-9]\d{0,14}$/
