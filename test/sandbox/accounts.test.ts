import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/start.ts'
import { aSandbox } from './a-sandbox.ts'
import { type Call, running, stopAfterTest } from './a-shop.ts'

const BRANDS = '/v3/catalog/brands'
const TIME = '/v2/time'
const OTHER = { name: 'other', clientId: 'otherclient', token: 'other-secret' }

async function metafieldsPath(call: Call): Promise<string> {
  const brand = (await call('POST', BRANDS, { name: 'Acme' })).body.data
  return `${BRANDS}/${brand.id}/metafields`
}

const NOTE = { permission_set: 'app_only', namespace: 'notes', key: 'colour', value: 'red' }

test('every account signs in with its own token', async () => {
  const { callAs, sandbox } = await aSandbox({ store: { accounts: [OTHER, { name: 'third' }] } })
  const accounts = sandbox.stores.source?.accounts ?? {}
  expect(Object.keys(accounts)).toEqual(['main', 'other', 'third'])
  expect(accounts.other).toEqual({ clientId: 'otherclient', token: 'other-secret' })
  for (const { token } of Object.values(accounts)) expect((await callAs(token)('GET', TIME)).status).toBe(200)
  expect(new Set(Object.values(accounts).map(({ clientId }) => clientId)).size).toBe(3)
})

test('every account has its own scopes', async () => {
  const accounts = [{ ...OTHER, scopes: ['store_v2_products_read_only'] }]
  const { call, callAs } = await aSandbox({ store: { accounts } })
  expect((await callAs('other-secret')('GET', BRANDS)).status).toBe(200)
  expect((await callAs('other-secret')('POST', BRANDS, { name: 'Acme' })).status).toBe(403)
  expect((await call('POST', BRANDS, { name: 'Acme' })).status).toBe(200)
})

test('metafields belong to the client id of the account that created them', async () => {
  const { call, callAs } = await aSandbox({ store: { accounts: [OTHER] } })
  const path = await metafieldsPath(call)
  const made = (await callAs('other-secret')('POST', path, { ...NOTE, permission_set: 'read' })).body.data
  expect(made.owner_client_id).toBe('otherclient')
  expect((await call('GET', path)).body.data[0].owner_client_id).toBe('otherclient')
})

test('an account is added, replaced and revoked while the store runs, without touching the others', async () => {
  const { call, callAs, admin } = await aSandbox()
  const scopes = ['store_v2_products']
  const added = await admin('POST', '/token', { action: 'add', account: 'other', clientId: 'c2', scopes })
  expect(added.body).toEqual({ account: 'other', clientId: 'c2', scopes, token: expect.stringMatching(/^.{32}$/) })
  expect((await callAs(added.body.token)('GET', BRANDS)).status).toBe(200)
  const replaced = await admin('POST', '/token', { action: 'replace', account: 'other', token: 'new' })
  expect(replaced.body).toEqual({ token: 'new' })
  expect((await callAs(added.body.token)('GET', BRANDS)).status).toBe(401)
  expect((await callAs('new')('GET', BRANDS)).status).toBe(200)
  expect((await admin('POST', '/token', { action: 'revoke', account: 'other' })).body).toEqual({ token: null })
  expect((await callAs('new')('GET', BRANDS)).status).toBe(401)
  expect((await call('GET', BRANDS)).status).toBe(200)
  expect((await admin('GET', '/accounts')).body).toMatchObject([
    { account: 'main', token: 'secret' },
    { account: 'other', clientId: 'c2', token: null, scopes },
  ])
})

test('an account that takes the name, client id or token of another is refused', async () => {
  const { admin } = await aSandbox({ store: { accounts: [OTHER] } })
  const token = (body: object) => admin('POST', '/token', body)
  expect((await token({ action: 'add', account: 'other' })).status).toBe(409)
  expect((await token({ action: 'add', account: 'third', clientId: 'otherclient' })).status).toBe(409)
  expect((await token({ action: 'add', account: 'third', token: 'secret' })).status).toBe(409)
  expect((await token({ action: 'replace', account: 'other', token: 'secret' })).status).toBe(409)
  expect((await token({ action: 'replace', account: 'nobody' })).status).toBe(404)
  expect((await token({ action: 'add' })).status).toBe(400)
  expect((await token({ action: 'add', account: 'third', scopes: 'all' })).status).toBe(400)
  expect((await token({ action: 'melt' })).status).toBe(400)
  expect((await admin('GET', '/accounts')).body).toHaveLength(2)
})

test.each([
  ['name', [OTHER, { ...OTHER, clientId: 'c3', token: 't3' }], 'two accounts called other'],
  ['token', [{ name: 'other', token: 'secret' }], 'the same token'],
  ['client id', [OTHER, { name: 'third', clientId: 'otherclient' }], 'the same client id'],
])('a store does not start with two accounts of one %s', async (_what, accounts, words) => {
  await expect(aSandbox({ store: { accounts } })).rejects.toThrow(words)
})

test('a store in a data directory keeps its accounts, including those that were added, replaced and revoked', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'sandbox-'))
  try {
    const start = () => aSandbox({ dataDirectory, store: { accounts: [{ name: 'other' }, { name: 'gone' }] } })
    const first = await start()
    await first.admin('POST', '/token', { action: 'replace', account: 'other', token: 'kept' })
    await first.admin('POST', '/token', { action: 'revoke', account: 'gone' })
    await first.admin('POST', '/token', { action: 'add', account: 'later', token: 'late', scopes: ['store_sites'] })
    const before = (await first.admin('GET', '/accounts')).body
    await Promise.all(running.splice(0).map((sandbox) => sandbox.close()))
    const second = await start()
    expect((await second.admin('GET', '/accounts')).body).toEqual(before)
    expect((await second.callAs('kept')('GET', BRANDS)).status).toBe(200)
    expect((await second.callAs('late')('GET', BRANDS)).status).toBe(403)
    expect(second.sandbox.stores.source?.accounts).not.toHaveProperty('gone')
  } finally {
    await Promise.all(running.splice(0).map((sandbox) => sandbox.close()))
    rmSync(dataDirectory, { recursive: true })
  }
})

test('a store may have its own plan or quota; the others have the plan of the sandbox', async () => {
  const stores = [
    { name: 'source', seed: 'empty' as const, token: 'secret', plan: 'pro' as const },
    { name: 'third', seed: 'empty' as const, token: 'secret', quota: { requests: 7, windowMs: 1000 } },
    { name: 'fourth', seed: 'empty' as const, token: 'secret' },
  ]
  const sandbox = await startSandbox({ stores, plan: 'standard' })
  stopAfterTest(sandbox)
  const quotas = Object.values(sandbox.stores).map(async ({ url }) => {
    const answer = await fetch(`${url}${TIME}`, { headers: { 'X-Auth-Token': 'secret' } })
    return answer.headers.get('x-rate-limit-requests-quota')
  })
  expect(await Promise.all(quotas)).toEqual(['450', '7', '150'])
})
