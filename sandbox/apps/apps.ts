import { randomBytes, randomUUID } from 'node:crypto'
import { type Account, newToken } from '../server/accounts.ts'
import { ALL_SCOPES } from '../server/scopes.ts'
import type { StoreHost } from '../server/store-host.ts'

/** A single-click app, as its developer registers it. Source: BigCommerce "Single-Click App Callback Handlers". */
export interface AppOptions {
  clientId: string
  clientSecret: string
  /** All scopes by default. */
  scopes?: string[]
  /** Addresses on this machine. */
  callbacks: AppCallbacks
  /** How long the code of an installation can be exchanged; 60 by default. */
  codeSeconds?: number
}

export interface AppCallbacks {
  auth: string
  load: string
  uninstall?: string
  removeUser?: string
}

export interface App extends Required<Omit<AppOptions, 'scopes'>> {
  scopes: readonly string[]
  accountUuid: string
  /** With this status, the token endpoint refuses everything. */
  tokenStatus: number | undefined
}

/** What an installation may exchange for a token, once. */
interface Code {
  clientId: string
  hash: string
  scope: string
  expiresAtMs: number
}

/** Not published; long enough for a slow app. */
const CODE_SECONDS = 60

/** The apps that stores of the sandbox can install. They are kept in memory; tokens are kept with their store. */
export class Apps {
  #apps = new Map<string, App>()
  #codes = new Map<string, Code>()

  /** @returns undefined if there is an app with this client id */
  add(options: AppOptions): App | undefined {
    if (this.#apps.has(options.clientId)) return undefined
    const app: App = {
      codeSeconds: CODE_SECONDS,
      ...options,
      scopes: options.scopes ?? ALL_SCOPES,
      accountUuid: randomUUID(),
      tokenStatus: undefined,
    }
    this.#apps.set(app.clientId, app)
    return app
  }

  named(clientId: string): App | undefined {
    return this.#apps.get(clientId)
  }

  list(): App[] {
    return [...this.#apps.values()]
  }

  /**
   * The merchant accepts the app and its scopes, which voids the token of an earlier installation.
   *
   * @returns where the merchant's browser goes
   */
  install(app: App, host: StoreHost): { url: string; code: string } {
    const code = randomBytes(8).toString('hex')
    const { hash } = host.store
    const scope = app.scopes.join(' ')
    this.#codes.set(code, { clientId: app.clientId, hash, scope, expiresAtMs: Date.now() + app.codeSeconds * 1000 })
    const account = accountOf(app, host) ?? host.accounts.add({ name: nameOf(app), clientId: app.clientId })
    if (!account) throw new Error(`Another account of store ${hash} has the client id ${app.clientId}`)
    account.scopes = new Set(app.scopes)
    host.accounts.changeToken(account, undefined)
    const url = new URL(app.callbacks.auth)
    url.search = new URLSearchParams({
      account_uuid: app.accountUuid,
      code,
      context: `stores/${hash}`,
      scope,
    }).toString()
    return { url: url.href, code }
  }

  /** @returns what the code was issued for, which works only once; undefined if it is unknown, used or too old */
  redeem(code: string): Code | undefined {
    const found = this.#codes.get(code)
    this.#codes.delete(code)
    return found && found.expiresAtMs > Date.now() ? found : undefined
  }
}

function nameOf({ clientId }: App): string {
  return `app ${clientId}`
}

/** The account of an app in a store; undefined if it was never installed there. */
export function accountOf(app: App, host: StoreHost): Account | undefined {
  return host.accounts.named(nameOf(app))
}

/** The token of a new exchange. */
export function grantToken(app: App, host: StoreHost): string | undefined {
  const account = accountOf(app, host)
  const token = newToken()
  return account && host.accounts.changeToken(account, token) ? token : undefined
}
