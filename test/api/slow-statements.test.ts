import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { untilWaiting } from '../harness/lock-waits.ts'
import { anAccessToken, callTool } from '../mcp/a-connection.ts'
import { anOrganisation, aService, siteUrl } from './a-service.ts'
import { aQueuedRun } from './migration-rows.ts'

test('S25: a statement that takes too long is ended with a remedy, and its connection serves the next request', async () => {
  const service = await aService({ statementSeconds: 1 })
  onTestFinished(() => service.close())
  const organisation = await anOrganisation(service)
  const headers = { host: new URL(siteUrl).host, authorization: `Bearer ${await organisation.token()}` }
  const listStores = () => service.app.inject({ url: '/v2/stores', headers })
  const { token } = await anAccessToken(service, organisation)
  await service.deps.database.transaction().execute(async (tx) => {
    await sql`lock table stores in access exclusive mode`.execute(tx)
    const [answer, tool] = await Promise.all([listStores(), callTool(service, token, 'list_stores')])
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
      ...[503, '60'],
      { error: 'unavailable', message: expect.stringMatching(/^The database took too long .* Try again .* filter\.$/) },
    ])
    expect([tool.isError, JSON.parse(tool.content[0]?.text ?? '').error]).toEqual([true, 'unavailable'])
  })
  expect((await listStores()).statusCode).toBe(200)
  await service.deps.database.transaction().execute(async (tx) => {
    await sql`lock table oauth_records in access exclusive mode`.execute(tx)
    const payload = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'sfm_x',
      refresh_token: 'x',
    }).toString()
    const sent = { host: headers.host, 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await service.app.inject({ method: 'POST', url: '/oauth/mcp/token', headers: sent, payload })
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().error]).toEqual([503, '60', 'server_error'])
  })
})

test('a request and another change that wait for each other: the request can be sent again in a second', async () => {
  const service = await aService()
  onTestFinished(() => service.close())
  const organisation = await anOrganisation(service)
  const id = await aQueuedRun(service, organisation)
  const { database } = service.deps
  const rename = async (headers: Record<string, string>) =>
    service.app.inject({ method: 'PATCH', url: `/v2/migrations/${id}`, headers, payload: { label: 'Spring' } })
  const headers = { host: new URL(siteUrl).host, authorization: `Bearer ${await organisation.token()}` }
  const asked = await database.transaction().execute(async (tx) => {
    // So that PostgreSQL ends the request and not this.
    await sql`set local deadlock_timeout = '1min'`.execute(tx)
    await sql`select from runs where id = ${id} for update`.execute(tx)
    const renamed = rename(headers)
    await untilWaiting(database, 1)
    await sql`select from organisations where id = ${organisation.id} for update`.execute(tx)
    return { renamed }
  })
  const answer = await asked.renamed
  expect([answer.statusCode, answer.headers['retry-after'], answer.json().error]).toEqual([503, '1', 'unavailable'])
  expect((await rename(headers)).statusCode).toBe(200)
})
