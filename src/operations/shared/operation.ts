import type { z } from 'zod'
import type { BearerTokens } from '../../accounts/bearer-tokens.ts'
import type { Administrator, Caller, SignedIn, Visitor } from '../../accounts/caller.ts'
import type { Keyring } from '../../accounts/encryption.ts'
import type { Memberships } from '../../accounts/memberships.ts'
import type { Sessions } from '../../accounts/sessions.ts'
import type { Clock } from '../../clock.ts'
import type { OperationName } from '../../contract/permissions.ts'
import type { StreamedEvent } from '../../contract/run-events.ts'
import type { Database } from '../../db/core/database.ts'
import type { OpenStore, StoreOpener } from './open-store.ts'
import type { StorefrontReader } from './storefront-reader.ts'

/**
 * What a caller can do. No HTTP in it; the organisation of the caller is a parameter of every query.
 * The permission it asks for is the row of its name in `contract/permissions.ts`.
 *
 * `input` is a `z.strictObject` (refinements included) over everything the caller sends: path, query and body together. Numbers
 * and lists that may come from a query string are coerced by the schema.
 */
export interface Operation<Input, Output, By = Caller, Name extends OperationName = OperationName> {
  name: Name
  /** One sentence for the API description. */
  summary: string
  input: z.ZodType<Input>
  output: z.ZodType<Output>
  run(input: Input, by: By, deps: Deps): Promise<Output | Answer<Output>>
}

/** What an operation is given. Constructed once per process, by hand. */
export interface Deps {
  database: Database
  clock: Clock
  log: OperationLog
  keyring: Keyring
  bearerTokens: BearerTokens
  sessions: Sessions
  memberships: Memberships
  settings: { siteUrl: string }
  /** Tells the engine that something may be admitted; cheap and idempotent. Call it after the transaction. */
  admit(): Promise<void>
  openStore: OpenStore
  leaveStores: StoreOpener['leave']
  openUnconnectedStore: StoreOpener['openUnconnected']
  storefronts: StorefrontReader
}

/** The part of the process's log that operations may use. Fields are ids and codes, never what a caller or a store sent (S22). */
export interface OperationLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export type ReadSource = 'engine' | 'postgres' | 'opensearch' | 'sqlite'

interface Beside {
  readSource?: ReadSource
  /** Path of what was created, `/v2/...`. */
  location?: string
  /** The browser that asked is no longer signed in. */
  sessionEnded?: boolean
  /** What comes bit by bit instead of the output; null is a sign of life. */
  events?: AsyncIterable<StreamedEvent | null>
  /** There is nothing to stream, now or later. */
  nothingMore?: boolean
}

/** An output with something to say beside it; the edge turns it into headers, or into a stream. */
export class Answer<Output> {
  readonly output: Output
  readonly beside: Beside

  constructor(output: Output, beside: Beside = {}) {
    this.output = output
    this.beside = beside
  }
}

/** Any operation that a route can name, whoever may ask for it. */
export type RoutedOperation = Operation<unknown, unknown, Caller & Visitor & SignedIn & Administrator>

export function defineOperation<Input, Output, By = Caller, const Name extends OperationName = OperationName>(
  operation: Operation<Input, Output, By, Name>,
): Operation<Input, Output, By, Name> {
  return operation
}

/** By whom an operation may be asked. */
export type By = Caller | Visitor | SignedIn | Administrator
