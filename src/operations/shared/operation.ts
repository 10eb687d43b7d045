import type { z } from 'zod'
import type { StoreApp } from '../../accounts/app/store-app.ts'
import type { BearerTokens } from '../../accounts/bearer-tokens.ts'
import type { Administrator, Caller, SignedIn, Visitor } from '../../accounts/caller.ts'
import type { Keyring } from '../../accounts/encryption.ts'
import type { Mailer } from '../../accounts/mailer.ts'
import type { Memberships } from '../../accounts/memberships.ts'
import type { Sessions } from '../../accounts/sessions.ts'
import type { Clock } from '../../clock.ts'
import type { OperationName } from '../../contract/accounts/permissions.ts'
import type { StreamedEvent } from '../../contract/run-events.ts'
import type { Database } from '../../db/core/database.ts'
import type { AdmissionLimits } from '../../model/forecast/capacity.ts'
import type { SearchReader } from '../../search/search-reader.ts'
import type { SearchStore } from '../../search/search-store.ts'
import type { OpenStore, StoreOpener } from './open-store.ts'
import type { StorefrontReader } from './storefront-reader.ts'

/**
 * Something that a caller can do, without any HTTP. Every query takes the caller's organisation as a parameter. The
 * required permission is in `contract/accounts/permissions.ts`, under the operation's name.
 *
 * `input` is a `z.strictObject`, possibly refined, of everything the caller sends: path, query and body together. The
 * schema coerces numbers and lists, which may come from a query string.
 */
export interface Operation<Input, Output, By = Caller, Name extends OperationName = OperationName> {
  name: Name
  /** One sentence for the API description. */
  summary: string
  input: z.ZodType<Input>
  output: z.ZodType<Output>
  /**
   * Whether a person in the portal must have given the password recently: for the most sensitive access, and for
   * deletions (S14, S18).
   */
  needsProof?(input: Input): boolean
  /** Whether it may go through all rows of a migration, or of all: then it waits for others of the organisation (S25). */
  isLong?(input: Input): boolean
  run(input: Input, by: By, deps: Deps): Promise<Output | Answer<Output>>
}

/** What operations can use. Constructed once per process. */
export interface Deps {
  database: Database
  clock: Clock
  log: OperationLog
  keyring: Keyring
  bearerTokens: BearerTokens
  sessions: Sessions
  memberships: Memberships
  /** Undefined if no mail server is configured. */
  mailer: Mailer | undefined
  /** The app with which merchants connect their stores; absent if none is configured. */
  storeApp?: StoreApp | undefined
  settings: {
    siteUrl: string
    admission: AdmissionLimits
    /** Whether administrators without a second step are kept out of the administration (S33). */
    administratorSecondStep: boolean
  }
  /** Wakes the engine to admit runs. Cheap and idempotent; call after the commit. */
  admit(): Promise<void>
  openStore: OpenStore
  leaveStores: StoreOpener['leave']
  openUnconnectedStore: StoreOpener['openUnconnected']
  storefronts: StorefrontReader
  /** Read before PostgreSQL for runs that have ended. */
  search: SearchReader
}

/** The log. Only for ids and codes, never for anything that a caller or a store sent (S22). */
export interface OperationLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export type ReadSource = 'engine' | 'postgres' | SearchStore['name']

interface Beside {
  readSource?: ReadSource
  /** Path of the created resource, `/v2/...`. */
  location?: string
  /** Whether the browser's session has ended, so that its cookie must be removed. */
  sessionEnded?: boolean
  /** Events to stream instead of the output. Null is a heartbeat. */
  events?: AsyncIterable<StreamedEvent | null>
  /** Nothing is left to stream. */
  nothingMore?: boolean
}

/** An output with extras, which the HTTP layer turns into headers or a stream. */
export class Answer<Output> {
  readonly #output: Output | StoredJson<Output>
  readonly beside: Beside

  constructor(output: Output | StoredJson<Output>, beside: Beside = {}) {
    this.#output = output
    this.beside = beside
  }

  get output(): Output {
    return this.#output instanceof StoredJson ? this.#output.parse() : this.#output
  }

  /** The output if it is JSON already. The HTTP layer sends it without reading or checking it. */
  get stored(): string | undefined {
    return this.#output instanceof StoredJson ? this.#output.text : undefined
  }
}

/** An output that is JSON already, because the service has stored it or because it is read often. */
export class StoredJson<Output> {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  parse(): Output {
    return JSON.parse(this.text) as Output
  }
}

/** An operation that a route calls, for any kind of caller. */
export type RoutedOperation = Operation<unknown, unknown, Caller & Visitor & SignedIn & Administrator>

export function defineOperation<Input, Output, By = Caller, const Name extends OperationName = OperationName>(
  operation: Operation<Input, Output, By, Name>,
): Operation<Input, Output, By, Name> {
  return operation
}

/** The kinds of callers for which there are operations. */
export type By = Caller | Visitor | SignedIn | Administrator
