import { randomBytes } from 'node:crypto'
import type { SqliteStore } from '../store/sqlite-store.ts'
import { ALL_SCOPES } from './scopes.ts'

export interface AccountOptions {
  name: string
  /** By default, derived from the store's hash and the name. */
  clientId?: string
  /** By default random, or the token it already had if the store is opened again. */
  token?: string
  /** All scopes by default. */
  scopes?: string[]
}

/** An API account of a store. Metafields and webhooks belong to its client id; the quota belongs to the store. */
export interface Account {
  name: string
  clientId: string
  /** undefined if revoked. */
  token: string | undefined
  scopes: ReadonlySet<string>
}

/** The account that every store has. */
export const MAIN_ACCOUNT = 'main'

/** An account as saved in the store. */
interface KeptAccount {
  name: string
  clientId: string
  token?: string
  scopes: string[]
}

/** The accounts that may call a store. They are saved in the store, so tokens survive a restart. */
export class Accounts {
  #store: SqliteStore
  #accounts: Account[]
  #byToken = new Map<string, Account>()

  /** @throws if two accounts share a name, client id or token */
  constructor(store: SqliteStore, accounts: AccountOptions[]) {
    this.#store = store
    this.#accounts = keptBy(store)
    const twice = accounts.find(({ name }, at) => accounts.findIndex((account) => account.name === name) !== at)
    if (twice) throw new Error(`Store ${store.name} has two accounts called ${twice.name}; name one of them otherwise`)
    for (const options of accounts) this.#open(options)
    this.#changed()
  }

  #open(options: AccountOptions): void {
    const kept = this.named(options.name)
    if (!kept) {
      this.#accounts.push(newAccount(this.#store, options))
      return
    }
    kept.token = options.token ?? kept.token
    kept.clientId = options.clientId ?? kept.clientId
    kept.scopes = new Set(options.scopes ?? ALL_SCOPES)
  }

  #changed(): void {
    this.#byToken = new Map()
    const clientIds = new Set<string>()
    for (const account of this.#accounts) {
      if (clientIds.has(account.clientId)) throw this.#twice('client id')
      clientIds.add(account.clientId)
      if (account.token === undefined) continue
      if (this.#byToken.has(account.token)) throw this.#twice('token')
      this.#byToken.set(account.token, account)
    }
    const kept = this.#accounts.map((account): KeptAccount => ({ ...account, scopes: [...account.scopes] }))
    this.#store.setNote('accounts', JSON.stringify(kept))
  }

  #twice(what: string): Error {
    return new Error(`Two accounts of store ${this.#store.name} have the same ${what}; give one of them another`)
  }

  named(name: string): Account | undefined {
    return this.#accounts.find((account) => account.name === name)
  }

  byToken(token: string): Account | undefined {
    return this.#byToken.get(token)
  }

  list(): readonly Account[] {
    return this.#accounts
  }

  /** @returns undefined if another account has its name, client id or token */
  add(options: AccountOptions): Account | undefined {
    const account = newAccount(this.#store, options)
    if (this.#accounts.some((other) => isLike(other, account))) return undefined
    this.#accounts.push(account)
    this.#changed()
    return account
  }

  /**
   * Changes the token of an account; undefined revokes it.
   *
   * @returns false, having changed nothing, if another account has the token
   */
  changeToken(account: Account, token: string | undefined): boolean {
    const owner = token === undefined ? undefined : this.byToken(token)
    if (owner && owner !== account) return false
    account.token = token
    this.#changed()
    return true
  }
}

function isLike(one: Account, other: Account): boolean {
  return one.name === other.name || one.clientId === other.clientId || one.token === other.token
}

export function newToken(): string {
  return randomBytes(16).toString('hex')
}

function newAccount({ hash }: SqliteStore, { name, clientId, token, scopes }: AccountOptions): Account {
  const suffix = name === MAIN_ACCOUNT ? '' : name.toLowerCase().replace(/[^a-z0-9]/g, '')
  return {
    name,
    clientId: clientId ?? `client${hash}${suffix}`,
    token: token ?? newToken(),
    scopes: new Set(scopes ?? ALL_SCOPES),
  }
}

function keptBy(store: SqliteStore): Account[] {
  // Only `#changed` writes this note.
  const kept: KeptAccount[] = JSON.parse(store.note('accounts') ?? '[]')
  return kept.map((account) => ({ ...account, token: account.token, scopes: new Set(account.scopes) }))
}
