import { expect, test } from 'vitest'
import { aSandbox } from './a-sandbox.ts'
import { ADMIN, ask } from './a-shop.ts'

const admin = (url: string, method: string, path: string, body?: unknown, token = ADMIN) =>
  ask(`${url}/__sandbox/stores${path}`, method, body, { 'X-Sandbox-Admin': token })

test('a store can be added while the sandbox runs, used at once, and removed again', async () => {
  const { sandbox } = await aSandbox()
  const opened = await admin(sandbox.url, 'POST', '', { name: 'later', hash: 'later1', token: 'own', seed: 'tiny' })
  expect(opened).toMatchObject({
    status: 200,
    body: { name: 'later', hash: 'later1', token: 'own', url: `${sandbox.url}/stores/later1` },
  })
  const brands = () => ask(`${opened.body.url}/v3/catalog/brands`, 'GET', undefined, { 'X-Auth-Token': 'own' })
  expect((await brands()).body.data.length).toBeGreaterThan(0)
  expect(await admin(sandbox.url, 'DELETE', '/later1')).toMatchObject({ status: 200, body: {} })
  expect((await brands()).status).toBe(404)
  expect((await admin(sandbox.url, 'DELETE', '/later1')).status).toBe(404)
})

test('an added store has its own quota, accounts, switches and latency', async () => {
  const { sandbox } = await aSandbox()
  const { body: store } = await admin(sandbox.url, 'POST', '', {
    name: 'later',
    quota: { requests: 1, windowMs: 60_000 },
    latencyMs: { read: 60 },
    accounts: [{ name: 'other' }],
    switches: { maintenance: false },
  })
  expect(Object.keys(store.accounts).sort()).toEqual(['main', 'other'])
  const startedMs = performance.now()
  const first = await ask(`${store.url}/v2/store`, 'GET', undefined, { 'X-Auth-Token': store.token })
  expect(first.status).toBe(200)
  // Jitter subtracts at most 30%.
  expect(performance.now() - startedMs).toBeGreaterThan(40)
  const second = await ask(`${store.url}/v2/store`, 'GET', undefined, { 'X-Auth-Token': store.token })
  expect(second.status).toBe(429)
})

test.each([
  ['its hash is taken', { name: 'again', hash: 'source' }, /Two stores have the hash source/],
  ['it has no name', {}, /name must be a string/],
  ['its seed does not exist', { name: 'a', seed: 'huge' }, /Unknown seed huge; there are empty/],
  ['a switch does not exist', { name: 'a', switches: { nonsense: 1 } }, /Unknown switch nonsense/],
  ['it names a file of this machine', { name: 'a', file: '/etc/hostname' }, /Unknown store option file/],
])('a store is refused if %s, and nothing of it remains', async (_why, options, message) => {
  const { sandbox } = await aSandbox()
  const refused = await admin(sandbox.url, 'POST', '', options)
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringMatching(message) } })
  expect((await admin(sandbox.url, 'POST', '', { name: 'a', hash: 'a1' })).status).toBe(200)
})

test('only the admin token adds and removes stores', async () => {
  const { sandbox } = await aSandbox()
  expect((await admin(sandbox.url, 'POST', '', { name: 'a' }, 'wrong')).status).toBe(401)
  expect((await admin(sandbox.url, 'DELETE', '/source', undefined, 'wrong')).status).toBe(401)
})
