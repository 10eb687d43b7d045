import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createBearerTokens } from '../../src/accounts/bearer-tokens.ts'
import { openKeyring } from '../../src/accounts/encryption-key.ts'
import { createSigningKeys } from '../../src/accounts/signing-keys.ts'
import { startApp } from '../../src/app.ts'
import { systemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/db/core/database.ts'
import { user } from '../../src/db/postgres/cluster.ts'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { socketPort } from '../../src/db/postgres/postgres-files.ts'
import { removeEmbeddedPostgres } from '../../src/db/postgres/remove-embedded-postgres.ts'
import { createLog } from '../../src/log.ts'
import type { Service } from '../api/a-service.ts'

export interface StartedService {
  url: string
  /** Of the index. */
  path: string
  /** The environment of a command that works on the same data. */
  environment: Record<string, string>
  /** For planting rows: the parts of a service that this needs. */
  planting: Service
  database: Database
  /** What changes while `work` runs waits in the outbox for a day; with it everything that is to be indexed again. */
  withoutIndexing<Result>(work: () => Promise<Result>): Promise<Result>
  /** The same from now on, until the index has it. */
  indexWaiting(): Promise<void>
  stopService(): Promise<void>
  stop(): Promise<void>
}

const log = createLog({ level: 'silent', role: 'test', destination: process.stderr })

/** The service of `storeferry start` on a data directory of its own, without a host, which would work on planted runs. */
export async function aStartedService(settings: Record<string, string> = {}): Promise<StartedService> {
  const directory = await mkdtemp(join(tmpdir(), 'sf-'))
  // Run by root, PostgreSQL's own user has to pass through.
  await chmod(directory, 0o711)
  const dataDirectory = join(directory, 'data')
  const port = await freePort()
  const key = randomBytes(32)
  const environment = {
    HOME: directory,
    STOREFERRY_DATA: dataDirectory,
    STOREFERRY_KEY: key.toString('base64'),
    PORT: String(port),
    BIGCOMMERCE_API_URL: 'http://127.0.0.1:9',
    ...settings,
  }
  const config = readConfig(environment)
  const app = await startApp({ roles: ['server'], config, log })
  const database = openDatabase(await urlOf(dataDirectory), { name: 'test' })
  let running = true
  const stopService = async () => {
    if (running) await app.stop()
    running = false
  }
  return {
    url: app.url,
    path: join(dataDirectory, 'search.sqlite'),
    environment,
    planting: await plantingOf(database, key, app.url),
    database,
    withoutIndexing: (work) => withoutIndexing(database, work),
    async indexWaiting() {
      await sql`update outbox set next_try_at = now()`.execute(database)
    },
    stopService,
    async stop() {
      await stopService()
      await database.destroy()
      await removeEmbeddedPostgres(dataDirectory)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The locks of its users are those of processes, so this one must not use it a second time. */
async function urlOf(dataDirectory: string): Promise<string> {
  const password = (await readFile(join(dataDirectory, 'password'), 'utf8')).trim()
  const socket = encodeURIComponent(join(dataDirectory, 'socket'))
  return `postgres://${user}:${encodeURIComponent(password)}@${socket}:${socketPort}/postgres`
}

async function withoutIndexing<Result>(database: Database, work: () => Promise<Result>): Promise<Result> {
  await sql`alter table outbox alter column next_try_at set default now() + interval '1 day'`.execute(database)
  try {
    return await work()
  } finally {
    await sql`alter table outbox alter column next_try_at set default now()`.execute(database)
  }
}

/** What rows and tokens are made from; the rest of a service is not needed for them. */
export async function plantingOf(database: Database, key: Buffer<ArrayBuffer>, siteUrl: string): Promise<Service> {
  const clock = systemClock
  const keyring = await openKeyring(database, [key])
  const bearerTokens = createBearerTokens({
    database,
    clock,
    signingKeys: createSigningKeys({ database, clock, keyring }),
    siteUrl,
  })
  return { deps: { database, clock, keyring, bearerTokens } } as unknown as Service
}
