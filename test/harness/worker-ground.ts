import { randomBytes } from 'node:crypto'
import { createBearerTokens } from '../../src/accounts/bearer-tokens.ts'
import type { Keyring } from '../../src/accounts/encryption.ts'
import { openKeyring } from '../../src/accounts/encryption-key.ts'
import { createMemberships } from '../../src/accounts/memberships.ts'
import { createSessions } from '../../src/accounts/sessions.ts'
import { createSigningKeys } from '../../src/accounts/signing-keys.ts'
import { buildServer } from '../../src/api/server.ts'
import { systemClock } from '../../src/clock.ts'
import { type Database, openDatabase } from '../../src/db/core/database.ts'
import { prepareRunRole } from '../../src/db/core/run-role.ts'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { createStoreOpener } from '../../src/operations/shared/open-store.ts'
import type { Deps } from '../../src/operations/shared/operation.ts'
import { createStorefrontReader } from '../../src/operations/shared/storefront-reader.ts'
import { noSearch } from '../../src/search/search-reader.ts'
import { compressedClock, retryPauses } from './compressed-clock.ts'
import { createDatabase } from './postgres.ts'
import { RunsHere } from './runs-here.ts'
import { type SandboxProcess, startSandboxProcess } from './world-sandbox.ts'

/** What all worlds of one test worker share: a sandbox, a database and a service that processes runs in this process. */
export interface Ground {
  url: string
  sandbox: SandboxProcess
  database: Database
  deps: Deps
  runs: RunsHere
  /** As the role of runs. */
  runDatabaseUrl: string
}

let ground: Promise<Ground> | undefined

/** Started by the first world of a worker and kept until the worker ends, so every later world costs milliseconds. */
export function workerGround(): Promise<Ground> {
  ground ??= layGround()
  return ground
}

async function layGround(): Promise<Ground> {
  const sandbox = await startSandboxProcess({ stores: [] })
  const { url: databaseUrl } = await createDatabase()
  // Tests hold locks for as long as they need them.
  const database = openDatabase(databaseUrl, { name: 'test', idleInTransactionMs: 0 })
  const keyring = await openKeyring(database, [randomBytes(32)])
  const runRole = await prepareRunRole(databaseUrl, keyring.subkey('run role').toString('base64url'))
  const runDatabase = openDatabase(runRole, { name: 'test run' })
  const runs = new RunsHere({ database, runDatabase, keyring, bigcommerceApiUrl: sandbox.url, quotaReserve: 0.1 })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const deps = provideDeps({ database, keyring, bigcommerceApiUrl: sandbox.url, siteUrl: url, runs })
  const server = await buildServer({ ...deps, isReady: async () => true })
  await server.listen({ host: '127.0.0.1', port })
  return { url, sandbox, database, deps, runs, runDatabaseUrl: runRole }
}

function provideDeps({
  database,
  keyring,
  bigcommerceApiUrl,
  siteUrl,
  runs,
}: {
  database: Database
  keyring: Keyring
  bigcommerceApiUrl: string
  siteUrl: string
  runs: RunsHere
}): Deps {
  const clock = systemClock
  const requestTimeoutSeconds = 5
  const signingKeys = createSigningKeys({ database, clock, keyring })
  // Live reads of a store that fails are repeated without the pauses; the time-out of a call stays real.
  const readingClock = compressedClock(
    (ms) => ms === requestTimeoutSeconds * 1000,
    (ms) => retryPauses.includes(ms),
  )
  const stores = createStoreOpener({ database, keyring, clock: readingClock, bigcommerceApiUrl, requestTimeoutSeconds })
  return {
    database,
    clock,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    keyring,
    bearerTokens: createBearerTokens({ database, clock, signingKeys, siteUrl }),
    sessions: createSessions({ database, clock }),
    memberships: createMemberships({ database }),
    mailer: undefined,
    settings: { siteUrl, admission: { tierCaps: {}, organisationRuns: 4 }, administratorSecondStep: false },
    admit: () => runs.admit(),
    openStore: stores.open,
    leaveStores: stores.leave,
    openUnconnectedStore: stores.openUnconnected,
    storefronts: createStorefrontReader({ openStore: stores.open, clock }),
    search: noSearch,
  }
}
