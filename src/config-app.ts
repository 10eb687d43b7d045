import { z } from 'zod'
import { guardedUrl } from './config-address.ts'

export interface AppSettings {
  clientId: string
  clientSecret: string
  /** Where BigCommerce exchanges the codes of installations. Without a trailing slash. */
  loginUrl: string
}

/** Source: BigCommerce's own app profiles; spaces and control characters are mistakes of copying. */
const printable = z.string().regex(/^[!-~]{1,255}$/, 'give it as the app profile shows it, without spaces')

/** Part of the table in `config.ts`. */
export const appSettings = {
  STOREFERRY_APP_CLIENT_ID: {
    schema: printable,
    fallback: 'none',
    about:
      'Client id of an app of yours in the BigCommerce Developer Portal, with which merchants connect their stores in one click; see [Connecting a store](connect-a-store.md). Without one, stores are connected by their API tokens only.',
  },
  STOREFERRY_APP_CLIENT_SECRET: {
    schema: printable,
    fallback: 'none',
    about: 'Client secret of that app; it verifies what BigCommerce sends. Given with the client id or not at all.',
    secret: true,
  },
  BIGCOMMERCE_LOGIN_URL: {
    schema: guardedUrl('the address where BigCommerce exchanges codes'),
    fallback: 'https://login.bigcommerce.com',
    about:
      'Where the code of an installation of the app is exchanged for a token; set it to a sandbox to try things out.',
  },
} as const

/** The app, if both its values were given. @param problems gets a line if only one was */
export function completeApp(
  { clientId, clientSecret, loginUrl }: { clientId?: string; clientSecret?: string; loginUrl: string },
  problems: string[],
): AppSettings | undefined {
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret, loginUrl }
  if (clientId !== undefined)
    problems.push('STOREFERRY_APP_CLIENT_SECRET: give the client secret of the app together with its client id.')
  if (clientSecret !== undefined)
    problems.push('STOREFERRY_APP_CLIENT_ID: give the client id of the app together with its client secret.')
  return undefined
}
