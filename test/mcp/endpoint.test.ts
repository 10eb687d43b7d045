import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/primitives/limits.ts'
import { deleteGrant, deleteRecord } from '../../src/db/oauth/oauth-records.ts'
import { anOrganisation, aService, type Organisation, type Service, siteUrl } from '../api/a-service.ts'
import { bringTo } from '../api/migration-rows.ts'
import { anAccessToken, callTool, type GivenToken, postMessage } from './a-connection.ts'

let service: Service
let organisation: Organisation
let given: GivenToken
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())
beforeEach(async () => {
  organisation = await anOrganisation(service)
  given = await anAccessToken(service, organisation)
})

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const post = (body: unknown, headers = {}, token: string | undefined = given.token) =>
  postMessage(service, token, body, headers)

describe('older revisions', () => {
  test.each([
    '2024-11-05',
    '2025-03-26',
    '2025-06-18',
    '2025-11-25',
  ])('5.1: initialize in %s is answered in that revision, as JSON and without a session', async (protocolVersion) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'old', version: '1' } }
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('application/json')
    expect(answer.headers['mcp-session-id']).toBeUndefined()
    expect(answer.json().result).toMatchObject({ protocolVersion, capabilities: { tools: {} } })
    expect(answer.json().result.capabilities).toEqual({ tools: {} })
  })

  test('an unknown revision is negotiated down', async () => {
    const params = { protocolVersion: '2031-01-01', capabilities: {}, clientInfo: { name: 'new', version: '1' } }
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    expect(answer.json().result.protocolVersion).toBe('2025-11-25')
  })

  test('5.2: ping and tools/list work for a script without a handshake that accepts only JSON', async () => {
    expect((await post(ping, { accept: 'application/json' })).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    const list = await post({ jsonrpc: '2.0', id: 2, method: 'tools/list' }, { accept: 'application/json' })
    expect(list.json().result.tools.length).toBeGreaterThan(0)
  })

  test('a slash at the end of the address, as people type it, changes nothing', async () => {
    const headers = { 'content-type': 'application/json' }
    const ask = (more = {}) =>
      service.inject({ method: 'POST', url: '/mcp/', headers: { ...headers, ...more }, payload: ping })
    expect((await ask({ authorization: `Bearer ${given.token}` })).json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {},
    })
    expect((await ask()).headers['www-authenticate']).toContain('resource_metadata=')
    expect((await service.inject({ url: '/mcp/' })).statusCode).toBe(405)
  })

  test('5.5: a notification is accepted with 202 and an empty body', async () => {
    const answer = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([answer.statusCode, answer.body]).toEqual([202, ''])
  })

  test('an unknown version in the header is 400', async () => {
    expect((await post(ping, { 'mcp-protocol-version': '1999-01-01' })).statusCode).toBe(400)
  })

  test('a batch may have as many messages as the limit, but not one more', async () => {
    const many = (length: number) => Array.from({ length }, (_, id) => ({ ...ping, id }))
    const most = await post(many(limits.toolBatch))
    expect([most.statusCode, most.json().length]).toEqual([200, limits.toolBatch])
    expect((await post(many(limits.toolBatch + 1))).statusCode).toBe(413)
  })

  test('a call that is cancelled in the same batch is answered all the same', async () => {
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: ping.id } }
    const answer = await post([ping, cancelled])
    expect([answer.statusCode, answer.json()]).toEqual([200, { jsonrpc: '2.0', id: ping.id, result: {} }])
  })
})

describe('revision 2026-07-28', () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'new', version: '1' },
  }
  const modern = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
    post(
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...headers },
    )

  test('5.3: server/discover names the revision and only tools, without notifications', async () => {
    const answer = await modern('server/discover')
    expect(answer.statusCode).toBe(200)
    expect(answer.json().result).toMatchObject({ supportedVersions: ['2026-07-28'] })
    expect(answer.json().result.capabilities).toEqual({ tools: {} })
  })

  test('5.3: tools/list says how long it may be cached, and by whom', async () => {
    const { result } = (await modern('tools/list')).json()
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public' })
  })

  test('tools/call also needs the name in its header', async () => {
    const call = { name: 'whoami', arguments: {} }
    const answer = await modern('tools/call', call, { 'mcp-name': 'whoami' })
    expect(answer.json().result.structuredContent.role).toBe('owner')
    for (const name of ['', 'list_runs']) {
      const refused = await modern('tools/call', call, name === '' ? {} : { 'mcp-name': name })
      expect([refused.statusCode, refused.json().error.code]).toEqual([400, -32020])
    }
  })

  test('an unknown method is 404, and a future revision 400 with the supported ones', async () => {
    const unknown = await modern('prompts/list')
    expect([unknown.statusCode, unknown.json().error.code]).toEqual([404, -32601])
    const later = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' }
    const refused = await post(
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: later } },
      { 'mcp-protocol-version': '2031-01-01', 'mcp-method': 'tools/list' },
    )
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, -32022])
  })

  test('5.4: there is nothing to subscribe to, so no stream is held open', async () => {
    const answer = await modern('subscriptions/listen', { notifications: {} })
    expect([answer.statusCode, answer.json()]).toEqual([
      404,
      { jsonrpc: '2.0', id: 1, error: { code: -32601, message: expect.any(String) } },
    ])
  })
})

test.each([
  'GET',
  'DELETE',
  'PUT',
  'PATCH',
] as const)('%s is 405 with Allow: POST, even without a token', async (method) => {
  const answer = await service.inject({ method, url: '/mcp' })
  expect([answer.statusCode, answer.headers.allow, answer.json().error]).toEqual([405, 'POST', 'method_not_allowed'])
})

describe('authentication', () => {
  const metadata = `resource_metadata="${siteUrl}/.well-known/oauth-protected-resource"`

  test('without a token: 401 that names the metadata', async () => {
    const answer = await post(ping, {}, '')
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['www-authenticate']).toContain(metadata)
    const bare = await service.inject({ method: 'POST', url: '/mcp', payload: ping })
    expect(bare.headers['www-authenticate']).toBe(`Bearer scope="mcp:read", ${metadata}`)
  })

  test('an unknown token: the same, with invalid_token', async () => {
    const answer = await post(ping, {}, 'x'.repeat(43))
    expect(answer.headers['www-authenticate']).toBe(`Bearer error="invalid_token", scope="mcp:read", ${metadata}`)
  })

  test('5.9: authentication comes before parsing, so an anonymous caller learns nothing about a broken body', async () => {
    expect((await post('{"', {}, 'nobody')).statusCode).toBe(401)
    expect((await post('x'.repeat(limits.toolBodyBytes + 1), {}, 'nobody')).statusCode).toBe(401)
  })

  test.each([
    ['the address', `/mcp?access_token=TOKEN`, { ...ping }],
    ['the body', '/mcp', { ...ping, access_token: 'TOKEN' }],
    [
      'the parameters',
      '/mcp',
      { ...ping, params: { access_token: 'TOKEN', _meta: { authorization: 'Bearer TOKEN' } } },
    ],
  ])('5.7: a token in %s is ignored', async (_, url, payload) => {
    const withToken = (text: string) => text.replaceAll('TOKEN', given.token)
    const answer = await service.inject({
      method: 'POST',
      url: withToken(url),
      headers: { 'content-type': 'application/json' },
      payload: withToken(JSON.stringify(payload)),
    })
    expect(answer.statusCode).toBe(401)
  })

  test('5.7: the health check ignores a token in the address too', async () => {
    expect((await service.get(`/oauth/mcp/userinfo?access_token=${given.token}`)).statusCode).toBe(401)
    expect((await service.get('/oauth/mcp/userinfo', given.token)).statusCode).toBe(200)
  })

  test.each([
    ['another scheme', 'Basic TOKEN'],
    ['no scheme', 'TOKEN'],
    ['two tokens', 'Bearer TOKEN TOKEN'],
    ['the token in quotes', 'Bearer "TOKEN"'],
    ['one character less', 'Bearer SHORT'],
  ])('%s is no token', async (_, authorization) => {
    const sent = authorization.replaceAll('TOKEN', given.token).replace('SHORT', given.token.slice(0, -1))
    expect((await post(ping, { authorization: sent })).statusCode).toBe(401)
  })

  test('S24: a portal cookie gives no access to tools, with or without an invalid token', async () => {
    const cookie = await organisation.cookie()
    const bare = await service.inject({ method: 'POST', url: '/mcp', headers: { cookie }, payload: ping })
    expect(bare.statusCode).toBe(401)
    expect((await post(ping, { cookie }, 'x'.repeat(43))).statusCode).toBe(401)
    expect((await service.inject({ url: '/oauth/mcp/userinfo', headers: { cookie } })).statusCode).toBe(401)
  })

  test('API tokens give no access to tools, and access tokens none to the API', async () => {
    expect((await post(ping, {}, await organisation.token())).statusCode).toBe(401)
    expect((await service.get('/v2/stores', given.token)).statusCode).toBe(401)
  })

  test('5.7: a token for another audience, or with another scope, is refused', async () => {
    for (const other of [{ audience: 'https://elsewhere.example' }, { audience: `${siteUrl}/v2` }, { scope: 'openid' }])
      expect((await post(ping, {}, (await anAccessToken(service, organisation, other)).token)).statusCode).toBe(401)
  })

  test('a token expires after an hour', async () => {
    const late = await aService()
    const short = await anAccessToken(late, await anOrganisation(late))
    late.clock.jumpSeconds(3_599)
    expect((await postMessage(late, short.token, ping)).statusCode).toBe(200)
    late.clock.jumpSeconds(1)
    expect((await postMessage(late, short.token, ping)).statusCode).toBe(401)
    await late.close()
  })

  test('a token without its client, grant or connection is invalid', async () => {
    const { database } = service.deps
    await deleteRecord(database, 'Client', given.clientId)
    expect((await post(ping)).statusCode).toBe(401)
    const second = await anAccessToken(service, organisation)
    await deleteRecord(database, 'Grant', second.grantId)
    expect((await post(ping, {}, second.token)).statusCode).toBe(401)
    const third = await anAccessToken(service, organisation)
    await sql`delete from oauth_connections where grant_id = ${third.grantId}`.execute(database)
    expect((await post(ping, {}, third.token)).statusCode).toBe(401)
  })

  test('a revoked connection ends on the next call', async () => {
    await deleteGrant(service.deps.database, given.grantId)
    expect((await post(ping)).statusCode).toBe(401)
  })

  test.each([
    ['the user is deactivated', (id: string) => sql`update users set active = false where id = ${id}`],
    ['the membership ends', (id: string) => sql`update memberships set active = false where user_id = ${id}`],
    [
      'the organisation is removed',
      (id: string) => sql`update organisations set store_migration_enabled = false
        where id = (select organisation_id from memberships where user_id = ${id})`,
    ],
  ])('the token ends when %s', async (_, end) => {
    expect((await post(ping)).statusCode).toBe(200)
    await end(given.userId).execute(service.deps.database)
    expect((await post(ping)).statusCode).toBe(401)
  })

  test('the role is the current one, not the one at the time of consent', async () => {
    await sql`update memberships set role = 'viewer' where user_id = ${given.userId}`.execute(service.deps.database)
    expect((await callTool(service, given.token, 'whoami')).structuredContent?.role).toBe('viewer')
  })

  test('no token is stored in the database in plain text', async () => {
    const rows = await sql<{ row: string }>`select r::text as row from oauth_records r`.execute(service.deps.database)
    expect(rows.rows.length).toBeGreaterThan(0)
    for (const { row } of rows.rows) expect(row).not.toContain(given.token)
  })
})

describe('hosts and origins', () => {
  test('5.6, S10: another Host is refused', async () => {
    expect((await post(ping, { host: 'evil.example' })).statusCode).toBe(421)
  })

  test.each([
    'http://evil.example',
    'https://localhost:4000',
    'http://localhost:4001',
    'null',
  ])('S24: a page of %s is refused, even with a valid token', async (origin) => {
    expect((await post(ping, { origin })).statusCode).toBe(403)
  })

  test('5.6, S24: pages of a site in the settings may call it and read the challenge, without cookies', async () => {
    const origin = 'https://inspector.example'
    const open = await aService({ assistantOrigins: [origin] })
    const { token } = await anAccessToken(open, await anOrganisation(open))
    const ask = (from: string, sent: string) => postMessage(open, sent, ping, { origin: from })
    const asked = await open.inject({
      method: 'OPTIONS',
      url: '/mcp',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    })
    expect([asked.statusCode, asked.body]).toEqual([204, ''])
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringContaining('authorization'),
      vary: expect.stringMatching(/origin/i),
    })
    const answer = await ask(origin, token)
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, origin])
    const refused = await ask(origin, 'nothing')
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([401, origin])
    expect(refused.headers['access-control-expose-headers']).toContain('www-authenticate')
    // Clients ask for a stream after the handshake, and go on without one only if they can read that there is none.
    const streamed = await open.inject({ url: '/mcp', headers: { origin, accept: 'text/event-stream' } })
    expect([streamed.statusCode, streamed.headers['access-control-allow-origin']]).toEqual([405, origin])
    const others = await open.inject({ url: '/mcp', headers: { origin: 'https://evil.example' } })
    expect([others.statusCode, others.headers['access-control-allow-origin']]).toEqual([405, undefined])
    for (const from of ['https://evil.example', `${origin}:8443`, 'http://inspector.example', 'null'])
      expect((await ask(from, token)).statusCode).toBe(403)
    for (const { headers } of [asked, answer, refused])
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    await open.close()
  })

  test('5.6: without the setting, the preflight is refused', async () => {
    const asked = await service.inject({
      method: 'OPTIONS',
      url: '/mcp',
      headers: { origin: 'https://inspector.example' },
    })
    expect([asked.statusCode, asked.headers['access-control-allow-origin']]).toEqual([403, undefined])
    const bare = await service.inject({ method: 'OPTIONS', url: '/mcp' })
    expect([bare.statusCode, bare.headers.allow]).toEqual([204, 'POST'])
  })

  test('our own pages and programs may call it', async () => {
    expect((await post(ping, { origin: siteUrl })).statusCode).toBe(200)
    expect((await post(ping)).statusCode).toBe(200)
  })
})

describe('messages', () => {
  test.each(['{', '', 'nothing'])('5.5: a body that is not JSON (%j) is -32700', async (body) => {
    const answer = await post(body)
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, -32700])
  })

  test('5.5: a body with a key that JavaScript reserves is -32700, which says so', async () => {
    const answer = await post('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{}}}')
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toEqual({ code: -32700, message: expect.stringContaining('"__proto__"') })
  })

  test('another media type is 415, and a body above the limit 413', async () => {
    expect((await post('<x/>', { 'content-type': 'text/xml' })).statusCode).toBe(415)
    const call = (length: number) => JSON.stringify(ping).padEnd(length)
    expect((await post(call(limits.toolBodyBytes))).statusCode).toBe(200)
    expect((await post(call(limits.toolBodyBytes + 1))).statusCode).toBe(413)
  })

  const params = { name: 'get_migration_reference', arguments: { topic: 'modes' } }
  const call = { jsonrpc: '2.0', id: 'seven', method: 'tools/call', params }
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'new', version: '1' },
  }
  const newHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': params.name }

  test('the fast path answers a plain call exactly like the SDK', async () => {
    const old = (await post(call, { 'mcp-protocol-version': '2025-11-25' })).json()
    expect(old).toMatchObject({ id: 'seven', result: { structuredContent: expect.anything() } })
    // One that could be told of progress goes through the SDK.
    const viaSdk = { ...call, params: { ...params, _meta: { progressToken: 1 } } }
    expect((await post(viaSdk)).json()).toEqual(old)
    const modern = (await post({ ...call, params: { ...params, _meta: meta } }, newHeaders)).json()
    const more = { ...meta, 'example/more': 1 }
    expect((await post({ ...call, params: { ...params, _meta: more } }, newHeaders)).json()).toEqual(modern)
    const wrong = { name: 'whoami', arguments: { colour: 'red' } }
    const refused = (await post({ ...call, params: wrong })).json()
    expect(refused.result.isError).toBe(true)
    expect((await post({ ...call, params: { ...wrong, _meta: { progressToken: 1 } } })).json()).toEqual(refused)
  })

  test.each([
    ['no id', { id: undefined }, {}, 202],
    ['an id that is none', { id: { a: 1 } }, {}, 400],
    ['another JSON-RPC', { jsonrpc: '1.0' }, {}, 400],
    ['arguments that are a list', { params: { name: 'whoami', arguments: [] } }, {}, 200],
    ['a name that is none', { params: { name: 7 } }, {}, 200],
    ['a version that is none', {}, { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['new headers without what belongs to them', {}, newHeaders, 400],
    [
      'a new body with another name above',
      { params: { ...params, _meta: meta } },
      { ...newHeaders, 'mcp-name': 'whoami' },
      400,
    ],
    ['a new body without its headers', { params: { ...params, _meta: meta } }, {}, 400],
  ])('a call with %s gets no result', async (_, changes, headers, httpStatus) => {
    const answer = await post({ ...call, ...changes }, headers as Record<string, string>)
    expect([answer.statusCode, answer.body.includes('structuredContent')]).toEqual([httpStatus, false])
  })

  test('5.8: an unknown tool is a protocol error', async () => {
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'drop_tables' } })
    expect(answer.json().error.code).toBe(-32602)
  })

  test('5.8: a wrong argument gives a result with its name and the remedy', async () => {
    const answer = await callTool(service, given.token, 'whoami', { colour: 'red' })
    expect(answer.isError).toBe(true)
    expect(JSON.parse(answer.content[0]!.text)).toMatchObject({
      error: 'validation_failed',
      errors: { colour: ['Unknown argument.'] },
      next_step: expect.any(String),
    })
  })

  test('5.8: an argument by the name that the API has for it is refused by that name, beside the one that is missing', async () => {
    for (const [tool, wrong, right] of [
      ['get_run', 'id', 'run_id'],
      ['get_store', 'hash', 'store'],
    ] as const) {
      const answer = await callTool(service, given.token, tool, { [wrong]: 'abc' })
      expect(JSON.parse(answer.content[0]!.text).errors).toEqual({
        [wrong]: ['Unknown argument.'],
        [right]: ['Must be given.'],
      })
    }
  })

  test('5.8: an argument that is null, as models send those that they leave out, counts as left out', async () => {
    const nothing = { status: null, cursor: null, limit: null }
    expect(await callTool(service, given.token, 'list_runs', nothing)).toEqual(
      await callTool(service, given.token, 'list_runs'),
    )
    const needed = await callTool(service, given.token, 'get_run', { run_id: null })
    expect(JSON.parse(needed.content[0]!.text).errors).toEqual({ run_id: ['Must be given.'] })
  })

  test.each([
    ['estimate_migration', { source_store: 'nowhere', destination_store: 'store2' }, 'source_store'],
    ['get_store', { store: 'Not A Hash' }, 'store'],
    ['list_runs', { destination_store: 'Not A Hash' }, 'destination_store'],
    ['list_runs', { source_store: 'nowhere' }, 'source_store'],
    ['search_catalog', { store: 'store1', entity: 'products', storefront_id: 'main' }, 'storefront_id'],
    ['search_catalog', { store: 'store1', entity: 'products', parent_id: 'top' }, 'parent_id'],
    ['search_catalog', { store: 'store1', entity: 'lamps' }, 'entity'],
    ['get_item_history', { entity: 'lamps', source_item_id: '1' }, 'entity'],
    ['get_item_history', { entity: 'products' }, 'source_item_id'],
  ])('5.8: %s refuses %j by the name of its own argument, and names nothing that it cannot call', async (name, asked, argument) => {
    const answer = await callTool(service, given.token, name, asked)
    const { error, errors } = JSON.parse(answer.content[0]!.text)
    expect([error, Object.keys(errors)]).toEqual(['validation_failed', [argument]])
    expect(answer.content[0]!.text).not.toContain('/v2/')
  })

  test('S17: live calls per organisation and minute are limited; other tools and organisations are not affected', async () => {
    const busy = await aService()
    const first = await anOrganisation(busy)
    const [one, two] = [await anAccessToken(busy, first), await anAccessToken(busy, first)]
    const other = await anAccessToken(busy, await anOrganisation(busy))
    const ask = async (token: string, name = 'check_store_access', args: object = { store: 'nobody' }) => {
      const { isError, content } = await callTool(busy, token, name, args)
      return isError ? JSON.parse(content[0]!.text).error : undefined
    }
    for (let asked = 0; asked < limits.liveCallsPerMinute; asked += 1)
      expect(await ask(asked % 2 === 0 ? one.token : two.token)).toBe('not_found')
    expect(await ask(one.token)).toBe('rate_limited')
    expect(await ask(two.token, 'count_catalog', { store: 'nobody' })).toBe('rate_limited')
    expect(await ask(one.token, 'list_stores', {})).toBeUndefined()
    expect(await ask(other.token)).toBe('not_found')
    busy.clock.jumpSeconds(61)
    expect(await ask(one.token)).toBe('not_found')
    await busy.close()
  })

  test('S25: calls per token and minute are limited', async () => {
    const busy = await aService()
    const { token } = await anAccessToken(busy, await anOrganisation(busy))
    for (let asked = 0; asked < limits.requestsPerMinute; asked += 1)
      expect((await postMessage(busy, token, ping)).statusCode).toBe(200)
    const refused = await postMessage(busy, token, ping)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
    await busy.close()
  })
})

test('an assistant that asks why a run does not go on learns why it has not started, and which store it waits for', async () => {
  const headers = { authorization: `Bearer ${await organisation.token()}` }
  const payload = { source: 'store1', destination: 'store2' }
  const made = await service.inject({ method: 'POST', url: '/v2/migrations', headers, payload })
  const runId = made.json().requestId
  const queued = await callTool(service, given.token, 'get_run_settings', { run_id: runId })
  expect(queued.structuredContent).toMatchObject({ waits_for: { why: 'pricing', before: '0' } })
  // Without a forecast nobody knows, which is not "in no time".
  for (const name of ['get_run', 'get_run_progress', 'get_run_forecast'])
    expect((await callTool(service, given.token, name, { run_id: runId })).structuredContent, name).not.toHaveProperty(
      'overall_eta_seconds',
    )
  await bringTo(service, organisation.id, runId, 'in_progress')
  await sql`update runs set waiting_for = 'destination', waiting_store = 'store2',
    waiting_since = '2026-01-01T00:00:00Z', next_try_at = '2026-01-01T00:05:00Z' where id = ${runId}`.execute(
    service.deps.database,
  )
  const said = await callTool(service, given.token, 'get_run_settings', { run_id: runId })
  expect(said.structuredContent).toMatchObject({
    waits_for: {
      system: 'destination',
      store: 'store2',
      since: '2026-01-01T00:00:00.000Z',
      next_try_at: '2026-01-01T00:05:00.000Z',
    },
  })
})
