import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/db/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Connection string of the test server's superuser. */
    postgresAdminUrl: string
    /** A migrated database without connections, to clone. */
    postgresTemplate: string
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
  project.provide('postgresTemplate', template)
  return async () => {
    await execute(server.url, `drop database ${template} with (force)`)
    await server.stop()
  }
}

/** A database of our own for one test file, with every migration applied and no rows. Drop it in `afterAll`. */
export async function createDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const adminUrl = inject('postgresAdminUrl')
  const name = randomName('test')
  await execute(adminUrl, `create database ${name} template ${inject('postgresTemplate')}`)
  return {
    url: databaseUrl(adminUrl, name),
    drop: () => execute(adminUrl, `drop database if exists ${name} with (force)`),
  }
}

interface TestServer {
  url: string
  stop(): Promise<void>
}

function givenServer(url: string): TestServer {
  return { url, stop: async () => {} }
}

/** The server hangs on a guard process that ends it when this one ends, however it ends. */
async function ownServer(): Promise<TestServer> {
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

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
