import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'

let sandbox: Sandbox
let clientId: string
let apps = 0
/** Callbacks that reached the app. */
const received: string[] = []
const appServer = createServer((request, response) => {
  received.push(request.url ?? '')
  response.writeHead(request.url?.startsWith('/uninstall') ? 500 : 204).end()
})
beforeAll(async () => {
  await new Promise<void>((resolve) => appServer.listen(0, '127.0.0.1', resolve))
  const stores = ['north', 'south'].map((name) => ({ name, seed: 'empty' as const }))
  sandbox = await startSandbox({ stores, adminToken: 'admin' })
})
afterAll(async () => {
  appServer.close()
  await sandbox?.close()
})
beforeEach(async () => {
  clientId = `client${apps++}`
  received.length = 0
  const added = await admin('', {
    clientId,
    clientSecret: 'secret',
    callbacks: callbacks(),
    scopes: ['store_v2_information'],
  })
  expect(added.status).toBe(200)
})

function callbacks() {
  const url = `http://127.0.0.1:${(appServer.address() as AddressInfo).port}`
  return { auth: `${url}/auth`, load: `${url}/load`, uninstall: `${url}/uninstall`, removeUser: `${url}/remove_user` }
}

/** What the answers of these calls have, each some of it. */
interface Said {
  url: string
  httpStatus?: number
  access_token: string
  error: string
}

async function admin(path: string, body?: object, token = 'admin') {
  const answer = await fetch(`${sandbox.url}/__sandbox/apps${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-sandbox-admin': token, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Said }
}

const does = (event: string, body: object = {}, hash = 'north') => admin(`/${clientId}/stores/${hash}/${event}`, body)

/** The query of the auth callback. */
async function install(hash = 'north') {
  const { searchParams } = new URL((await does('install', {}, hash)).body.url)
  return Object.fromEntries(searchParams) as { code: string; context: string; scope: string; account_uuid: string }
}

async function exchange(changes: object = {}, init: RequestInit = {}) {
  const body = {
    client_id: clientId,
    client_secret: 'secret',
    grant_type: 'authorization_code',
    redirect_uri: callbacks().auth,
    ...changes,
  }
  const answer = await fetch(`${sandbox.url}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...init,
  })
  return { status: answer.status, body: (await answer.json()) as Said }
}

const callStore = async (token: string, path = '/v2/time') =>
  (await fetch(`${sandbox.url}/stores/north${path}`, { headers: { 'x-auth-token': token } })).status

test('the code of an installation is exchanged for a token that has the scopes of the app', async () => {
  const { code, context, scope, account_uuid } = await install()
  expect([context, scope]).toEqual(['stores/north', 'store_v2_information'])
  const { status, body } = await exchange({ code, context, scope })
  expect(status).toBe(200)
  expect(body).toEqual({
    access_token: expect.stringMatching(/^\w{32}$/),
    scope,
    user: { id: 24654, username: 'owner@shop.example', email: 'owner@shop.example' },
    owner: { id: 24654, username: 'owner@shop.example', email: 'owner@shop.example' },
    context,
    account_uuid,
  })
  expect(await callStore(body.access_token)).toBe(200)
  expect(await callStore(body.access_token, '/v3/catalog/brands')).toBe(403)
})

test('a form is accepted like JSON', async () => {
  const { code, context, scope } = await install()
  const form = { code, context, scope, client_id: clientId, client_secret: 'secret', grant_type: 'authorization_code' }
  const body = new URLSearchParams({ ...form, redirect_uri: callbacks().auth })
  const answer = await fetch(`${sandbox.url}/oauth2/token`, { method: 'POST', body })
  expect(answer.status).toBe(200)
})

test('a code works once, for its store, app, scope and callback, and only for a while', async () => {
  const first = await install()
  expect((await exchange(first)).status).toBe(200)
  expect(await exchange(first)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  const wrong: [object, string][] = [
    [{ context: 'stores/south' }, 'invalid_grant'],
    [{ redirect_uri: 'http://127.0.0.1/elsewhere' }, 'invalid_grant'],
    [{ scope: 'store_v2_products' }, 'invalid_scope'],
    [{ grant_type: 'refresh_token' }, 'unsupported_grant_type'],
    [{ code: 'unknown' }, 'invalid_grant'],
  ]
  for (const [changes, error] of wrong)
    expect(await exchange({ ...(await install()), ...changes })).toMatchObject({ status: 400, body: { error } })
  await admin(`/${clientId}`, { codeSeconds: 0 })
  expect(await exchange(await install())).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('a wrong secret is 401, an unreadable body 400, another method 405, and a failing platform what it is told to be', async () => {
  const granted = await install()
  const invalid = { status: 401, body: { error: 'invalid_client' } }
  expect(await exchange({ ...granted, client_secret: 'wrong' })).toMatchObject(invalid)
  expect(await exchange({ ...granted, client_id: 'nobody' })).toMatchObject(invalid)
  expect((await exchange({}, { body: '{' })).status).toBe(400)
  expect((await exchange({}, { method: 'PUT' })).status).toBe(405)
  await admin(`/${clientId}`, { tokenStatus: 503 })
  expect((await exchange(granted)).status).toBe(503)
  await admin(`/${clientId}`, { tokenStatus: null })
  expect((await exchange(granted)).status).toBe(200)
})

test('installing again voids the token before, and another store has its own', async () => {
  const before = (await exchange(await install())).body.access_token
  const other = (await exchange(await install('south'))).body.access_token
  const granted = await install()
  expect(await callStore(before)).toBe(401)
  expect(await callStore((await exchange(granted)).body.access_token)).toBe(200)
  expect(await callStore(other)).toBe(401)
})

function claimsOf(url: string) {
  const payload = new URL(url, sandbox.url).searchParams.get('signed_payload_jwt') ?? ''
  const [header = '', claims = '', signature] = payload.split('.')
  const signedWith = (secret: string) =>
    createHmac('sha256', secret).update(`${header}.${claims}`).digest('base64url') === signature
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { header: read(header), claims: read(claims), signature, signedWith }
}

test('opening the app signs a payload with the documented claims', async () => {
  await exchange(await install())
  const { header, claims, signedWith } = claimsOf((await does('load')).body.url)
  expect(header).toEqual({ typ: 'JWT', alg: 'HS256' })
  expect(signedWith('secret')).toBe(true)
  expect(claims).toEqual({
    aud: clientId,
    iss: 'bc',
    iat: expect.any(Number),
    nbf: claims.iat - 5,
    exp: claims.iat - 5 + 24 * 60 * 60,
    jti: expect.stringMatching(/^[\da-f-]{36}$/),
    sub: 'stores/north',
    user: { id: 24654, email: 'owner@shop.example', locale: 'en-US' },
    owner: { id: 24654, email: 'owner@shop.example' },
    url: '/',
    channel_id: null,
  })
  expect(Math.abs(claims.iat - Date.now() / 1000)).toBeLessThan(30)
  const staff = claimsOf((await does('load', { user: 'staff', secondsAgo: 600 })).body.url).claims
  expect([staff.user.id, staff.owner.id]).toEqual([24700, 24654])
  expect(claims.iat - staff.iat).toBeGreaterThan(590)
})

test('payloads can be forged: other claims, another secret, another algorithm, no signature', async () => {
  await exchange(await install())
  const forged = async (wish: object) => claimsOf((await does('load', wish)).body.url)
  const { claims } = await forged({ claims: { aud: 'another', exp: null } })
  expect([claims.aud, 'exp' in claims]).toEqual(['another', false])
  expect((await forged({ secret: 'guess' })).signedWith('guess')).toBe(true)
  expect(await forged({ algorithm: 'none' })).toMatchObject({ header: { alg: 'none' }, signature: '' })
  const other = await forged({ algorithm: 'HS512' })
  expect([other.header.alg, other.signedWith('secret')]).toEqual(['HS512', false])
})

test('uninstalling voids the token and calls the app, whose answer does not matter', async () => {
  const { access_token: token } = (await exchange(await install())).body
  const removed = await does('remove-user')
  expect(removed.body.httpStatus).toBe(204)
  expect(await callStore(token)).toBe(200)
  const { body } = await does('uninstall')
  expect(body.httpStatus).toBe(500)
  expect(await callStore(token)).toBe(401)
  expect(received.map((url) => url.split('?')[0])).toEqual(['/remove_user', '/uninstall'])
  expect(claimsOf(received[1]!).claims.sub).toBe('stores/north')
  expect(claimsOf(received[0]!).claims.user.id).toBe(24700)
  expect((await does('uninstall')).status).toBe(409)
  expect((await does('load')).status).toBe(409)
})

test('with send: false the app is not called, so that a test can deliver the callback later', async () => {
  await exchange(await install())
  const { body } = await does('uninstall', { send: false })
  expect([body.httpStatus, received]).toEqual([undefined, []])
  expect(body.url).toContain('/uninstall?signed_payload_jwt=')
})

test('S19: the calls need the admin token, and addresses of callbacks lead to this machine', async () => {
  expect((await admin('', undefined, 'wrong')).status).toBe(401)
  expect((await admin(`/${clientId}/stores/north/install`, {}, 'wrong')).status).toBe(401)
  const elsewhere = { ...callbacks(), uninstall: 'https://app.example/uninstall' }
  const refused = await admin('', { clientId: 'more', clientSecret: 's', callbacks: elsewhere })
  expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining('addresses of this machine')])
  expect((await admin('', { clientId, clientSecret: 's', callbacks: callbacks() })).status).toBe(409)
  expect((await admin('/unknown/stores/north/install', {})).status).toBe(404)
  expect((await does('install', {}, 'unknown')).status).toBe(404)
  expect((await does('explode')).status).toBe(404)
  const { body: list } = await admin('')
  expect(list).toEqual(expect.arrayContaining([expect.objectContaining({ clientId, codeSeconds: 60 })]))
  expect(JSON.stringify(list)).not.toContain('secret')
})
