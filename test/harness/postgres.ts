import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/db/core/migrate.ts'
import { parentOf } from './processes.ts'
import { until } from './until.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Connection string of the test server's superuser. */
    postgresAdminUrl: string
    /** A migrated database without connections, to clone. */
    postgresTemplate: string
    /** The prefix of all database names of this test run. */
    postgresPrefix: string
  }
}

/** Once per test run: one server, one migrated template. `TEST_DATABASE_URL` names a server to use instead of our own. */
export default async function setUpPostgres(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env.TEST_DATABASE_URL ? givenServer(process.env.TEST_DATABASE_URL) : await ownServer()
  const template = randomName('template')
  try {
    await execute(server.url, `create database ${template}`)
    await migrate(databaseUrl(server.url, template))
  } catch (error) {
    await server.stop()
    throw error
  }
  project.provide('postgresAdminUrl', server.url)
  const prefix = randomName('test')
  project.provide('postgresTemplate', template)
  project.provide('postgresPrefix', prefix)
  return async () => {
    await execute(server.url, `drop database ${template} with (force)`)
    // Those of workers, which are kept until the worker ends.
    await dropLeft(server.url, prefix)
    await server.stop()
  }
}

async function dropLeft(adminUrl: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const named = (table: string, name: string) =>
      client.query<{ name: string }>(`select ${name} as name from ${table} where ${name} like $1`, [`${prefix}%`])
    for (const { name } of (await named('pg_database', 'datname')).rows)
      await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
    for (const { name } of (await named('pg_roles', 'rolname')).rows)
      await client.query(`drop role if exists ${pg.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}

/** A database for one test file, with every migration applied and no rows. Drop it in `afterAll`. */
export async function createDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const adminUrl = inject('postgresAdminUrl')
  const name = randomName(inject('postgresPrefix'))
  // Faster than through the log of PostgreSQL, which does not matter here either.
  await execute(adminUrl, `create database ${name} template ${inject('postgresTemplate')} strategy file_copy`)
  // A power failure does not matter here, so a commit need not wait for the disk.
  await execute(adminUrl, `alter database ${name} set synchronous_commit = off`)
  return {
    url: databaseUrl(adminUrl, name),
    drop: () => execute(adminUrl, `drop database if exists ${name} with (force)`),
  }
}

/** A server for one world alone, with a migrated database, which may be killed: its guard starts it again. */
export async function startMortalPostgres(): Promise<MortalPostgres> {
  const server = await ownServer()
  try {
    await execute(server.url, 'create database world')
    const url = databaseUrl(server.url, 'world')
    await migrate(url)
    return { url, kill: () => killServer(url), stop: server.stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}

export interface MortalPostgres {
  url: string
  /** SIGKILL; resolves when it answers again. */
  kill(): Promise<void>
  stop(): Promise<void>
}

async function killServer(url: string): Promise<void> {
  const pid = await serverPid(url)
  process.kill(pid, 'SIGKILL')
  await until('PostgreSQL answers again', async () => (await serverPid(url).catch(() => pid)) !== pid, { seconds: 60 })
}

/** The parent of every process that serves a connection. */
async function serverPid(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return await parentOf(Number(rows[0]?.pid))
  } finally {
    await client.end().catch(() => undefined)
  }
}

interface TestServer {
  url: string
  stop(): Promise<void>
}

function givenServer(url: string): TestServer {
  return { url, stop: async () => {} }
}

/** A guard process stops the server when this process ends, however it ends. */
export async function ownServer(): Promise<TestServer> {
  const guard = fork(fileURLToPath(new URL('./postgres-guard.ts', import.meta.url)), { detached: true })
  const ended = once(guard, 'exit')
  const message = await Promise.race([once(guard, 'message'), ended.then(() => undefined)])
  if (!message) throw new Error('The test server did not start; the reason is above.')
  return {
    url: (message[0] as { url: string }).url,
    stop: async () => {
      guard.disconnect()
      await ended
    },
  }
}

function randomName(kind: string): string {
  return `${kind}_${randomBytes(6).toString('hex')}`
}

function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Runs a statement on a connection of its own. */
export async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
