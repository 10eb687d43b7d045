import { randomBytes, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { startApp } from '../../src/app.ts'
import { systemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { type Database, openDatabase } from '../../src/db/core/database.ts'
import { saveConnection } from '../../src/db/oauth/oauth-connections.ts'
import { saveRecord } from '../../src/db/oauth/oauth-records.ts'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { createLog } from '../../src/log.ts'

/**
 * A process for `bench/mcp.ts`: the service with one organisation, its stores and an access token, and a bare Fastify
 * route with one indexed SELECT on the same database. Its argument is the connection string; it prints one line when it
 * is ready.
 */
const databaseUrl = process.argv[2] ?? ''
// The cost of a call is measured, not the rate limit.
Object.assign(limits, { requestsPerMinute: Number.MAX_SAFE_INTEGER })
const port = await freePort()
const siteUrl = `http://127.0.0.1:${port}`
const key = randomBytes(32).toString('base64')
const app = await startApp({
  roles: ['server'],
  config: { ...readConfig({}), siteUrl, port, key, databaseUrl, logLevel: 'warn' },
  log: createLog({ level: 'warn', role: 'bench', destination: process.stderr }),
})
const database = openDatabase(databaseUrl, { connections: 10 })
const { userId, organisationId } = await plantOrganisation()
const token = await plantToken(database)
const bare = Fastify()
bare.get<{ Params: { id: string } }>('/users/:id', async ({ params }) => {
  const { rows } = await sql`select id, first_name, last_name, email from users where id = ${params.id}`.execute(
    database,
  )
  return rows[0]
})
const bareUrl = `${await bare.listen({ host: '127.0.0.1', port: 0 })}/users/${userId}`
console.log(JSON.stringify({ url: `${app.url}/mcp`, bareUrl, token }))
process.once('SIGTERM', async () => {
  await bare.close()
  await database.destroy()
  await app.stop()
})

async function plantOrganisation(): Promise<{ userId: string; organisationId: string }> {
  const owner = { firstName: 'Bea', lastName: 'Bench', email: 'owner@bench.example', password: randomUUID() }
  const organisation = 'Bench Outfitters'
  const made = await app.administration.createOrganisation({ name: organisation, owner })
  await app.administration.enableStoreMigration({ organisation })
  for (let at = 0; at < 10; at++)
    await sql`
      insert into stores (id, organisation_id, hash, label, token_encrypted)
      values (${randomUUID()}, ${made.organisationId}, ${`bench${at}`}, ${`Shop ${at}`}, ${Buffer.alloc(1)})`.execute(
      database,
    )
  const { rows } = await sql<{ id: string }>`
    select user_id as id from memberships where organisation_id = ${made.organisationId}`.execute(database)
  return { userId: rows[0]?.id ?? '', organisationId: made.organisationId }
}

/** As the authorisation server stores one after an Allow. */
async function plantToken(at: Database): Promise<string> {
  const [made = '', grantId = '', id = ''] = [1, 2, 3].map(() => randomBytes(32).toString('base64url'))
  const clientId = `sfm_${id}`
  const now = systemClock.now()
  const expiresAt = new Date(now.getTime() + limits.accessTokenSeconds * 1_000)
  const save = (model: string, key: string, payload: Record<string, unknown>) =>
    saveRecord(at, { model, id: key, payload, expiresAt, at: now })
  await save('Client', clientId, { client_id: clientId })
  await save('Grant', grantId, { accountId: userId, clientId })
  await save('AccessToken', made, { accountId: userId, clientId, grantId, scope: 'mcp:read', aud: siteUrl })
  const names = { clientName: 'Bench', redirectHost: 'localhost' }
  await saveConnection(at, { grantId, organisationId, userId, clientId, ...names, connectedAt: now, generation: 0 })
  return made
}
