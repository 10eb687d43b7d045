import { join } from 'node:path'
import { createStoreApp } from './accounts/app/store-app.ts'
import { createBearerTokens } from './accounts/bearer-tokens.ts'
import { type Keyring, parseMasterKey } from './accounts/encryption.ts'
import { ensureEncryptionKey, keptEncryptionKeys, keyFileIn, openKeyring } from './accounts/encryption-key.ts'
import { createMailer } from './accounts/mailer.ts'
import { createMemberships } from './accounts/memberships.ts'
import { createSessions } from './accounts/sessions.ts'
import { createSigningKeys } from './accounts/signing-keys.ts'
import type { ObservedCall } from './bigcommerce/client.ts'
import { systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './db/core/database.ts'
import { migrate } from './db/core/migrate.ts'
import { describeUnreachable } from './db/core/unreachable.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './db/postgres/embedded-postgres.ts'
import type { Log } from './log.ts'
import type { AdmissionLimits } from './model/forecast/capacity.ts'
import { createStoreOpener } from './operations/shared/open-store.ts'
import type { Deps } from './operations/shared/operation.ts'
import { createStorefrontReader } from './operations/shared/storefront-reader.ts'
import { createOutbound, isOnThisMachine } from './outbound.ts'
import { prepareDirectory } from './prepare-directory.ts'
import { openOpenSearchStore } from './search/opensearch-store.ts'
import { noSearch } from './search/search-reader.ts'
import type { SearchStore } from './search/search-store.ts'
import { openSqliteStore } from './search/sqlite-store.ts'

/** Database connections per process. */
const connections = 10

export async function constructing<Made>(make: (parts: AsyncDisposableStack) => Promise<Made>): Promise<Made> {
  const parts = new AsyncDisposableStack()
  try {
    return await make(parts)
  } catch (error) {
    await parts.disposeAsync()
    throw error
  }
}

export interface Foundation {
  databaseUrl: string
  database: Database
  keyring: Keyring
  masterKeys: [Buffer, ...Buffer[]]
  /** Where the key is from; undefined: STOREFERRY_KEY. */
  keyFile: string | undefined
  /** Undefined with DATABASE_URL. */
  ownDatabase: EmbeddedPostgres | undefined
}

/** The key comes first: a new one may only be made together with a new embedded database (S8). */
export async function layFoundation(config: Config, log: Log, parts: AsyncDisposableStack): Promise<Foundation> {
  const { key: given, oldKeys, dataDirectory, databaseUrl: givenUrl } = config
  const databaseGiven = givenUrl !== undefined
  if (!databaseGiven) await prepareDirectory(dataDirectory, 'STOREFERRY_DATA')
  const masterKey = await ensureEncryptionKey({ given, databaseGiven, dataDirectory, databaseDirectory: dataDirectory })
  const ownDatabase = databaseGiven ? undefined : await startOwnDatabase(dataDirectory, log, parts)
  const databaseUrl = givenUrl ?? ownDatabase?.url('postgres') ?? ''
  await migrate(databaseUrl, { onWait: (message) => log.warn(message) }).catch((error: unknown) => {
    throw describeUnreachable(error)
  })
  const database = openDatabase(databaseUrl, { connections })
  parts.defer(() => database.destroy())
  const keyFile = given === undefined && !databaseGiven ? keyFileIn(dataDirectory) : undefined
  const kept = keyFile === undefined ? [] : await keptEncryptionKeys(dataDirectory)
  const older = oldKeys.map((text) => parseMasterKey(text, 'STOREFERRY_OLD_KEYS'))
  const masterKeys: Foundation['masterKeys'] = [masterKey, ...older, ...kept]
  const keyring = await openKeyring(database, masterKeys, keyFile)
  return { databaseUrl, database, keyring, masterKeys, keyFile, ownDatabase }
}

async function startOwnDatabase(
  dataDirectory: string,
  log: Log,
  parts: AsyncDisposableStack,
): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDirectory, log, clock: systemClock })
  parts.defer(() => postgres.stop())
  return postgres
}

export type Admit = Deps['admit']

export function limitsOf({ tierRuns, organisationRuns }: Config): AdmissionLimits {
  return { tierCaps: tierRuns, organisationRuns }
}

/** For processes that need not wake the engine: every host polls within seconds. */
export const hostsLookThemselves: Admit = () => Promise.resolve()

export function provideDeps(
  base: Foundation,
  config: Config,
  log: Log,
  admit: Admit,
  parts: AsyncDisposableStack,
  onCall?: (call: ObservedCall) => void,
): Deps {
  const { database, keyring } = base
  const { siteUrl, bigcommerceApiUrl, requestTimeoutSeconds, quotaReserve, administratorSecondStep } = config
  const clock = systemClock
  const signingKeys = createSigningKeys({ database, clock, keyring })
  const calls = { bigcommerceApiUrl, requestTimeoutSeconds, quotaReserve, onCall }
  const stores = createStoreOpener({ database, keyring, clock, ...calls })
  parts.defer(() => stores.close())
  return {
    database,
    clock,
    log,
    keyring,
    bearerTokens: createBearerTokens({ database, clock, signingKeys, siteUrl }),
    sessions: createSessions({ database, clock }),
    memberships: createMemberships({ database }),
    mailer: openMailer(config, log, parts),
    storeApp: openApp(config),
    settings: { siteUrl, admission: limitsOf(config), administratorSecondStep },
    admit,
    openStore: stores.open,
    leaveStores: stores.leave,
    openUnconnectedStore: stores.openUnconnected,
    storefronts: createStorefrontReader({ openStore: stores.open, clock }),
    search: noSearch,
  }
}

function openMailer({ smtpUrl, mailFrom }: Config, log: Log, parts: AsyncDisposableStack): Deps['mailer'] {
  if (smtpUrl === undefined) return undefined
  const mailer = createMailer({ smtpUrl, from: mailFrom, clock: systemClock, log })
  parts.defer(() => mailer.close())
  return mailer
}

/** Without an app, the callbacks of the platform do not exist. */
function openApp({ app, siteUrl }: Config): Deps['storeApp'] {
  if (app === undefined) return undefined
  const outbound = createOutbound({ clock: systemClock, allowLoopback: isOnThisMachine(app.loginUrl) })
  return createStoreApp({ ...app, siteUrl, clock: systemClock, outbound })
}

/**
 * OpenSearch if it is set. Otherwise the index of one machine lies beside its embedded database; several hosts share
 * DATABASE_URL, but no file, and read everything there.
 */
export function openSearchStore(
  { ownDatabase }: Foundation,
  config: Config,
  parts: AsyncDisposableStack,
): SearchStore | undefined {
  const store = storeOf(config, ownDatabase !== undefined)
  if (store) parts.defer(() => store.close())
  return store
}

function storeOf({ openSearch, dataDirectory }: Config, isAlone: boolean): SearchStore | undefined {
  if (openSearch) return openOpenSearchStore(openSearch, systemClock)
  return isAlone ? openSqliteStore(join(dataDirectory, 'search.sqlite'), systemClock) : undefined
}
