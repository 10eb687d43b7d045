import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { freePort } from '../../src/db/free-port.ts'
import { type Ferry, organisation, startFerry } from './ferry.ts'

/** One line of our own, never a stack trace. */
const oneLine = /^storeferry: [^\n]+\n$/

let ferry: Ferry
/** Started first and looked at last: a store is asked five times over three quarters of a minute. */
let copyToAway: string
let connectingAway: ReturnType<Ferry['storeferry']>

beforeAll(async () => {
  ferry = await startFerry()
  await ferry.fault('away', { kind: 'reset_before_applying', times: null })
  copyToAway = await migrate('away')
  connectingAway = connect('away')
})
afterAll(() => ferry?.stop())

async function migrate(destination: string, more: object = {}): Promise<string> {
  const asked = { source: 'source', destination, ...more }
  const { status, body } = await ferry.api<MigrationDetail>('POST', '/v2/migrations', asked)
  expect(status).toBe(202)
  return body.requestId
}

function connect(store: string, { hash = store, token = ferry.sandbox.stores[store]?.token } = {}) {
  const args = ['admin', 'connect-store', '--organisation', organisation, '--hash', hash, '--token-stdin']
  return ferry.storeferry(args, { input: token })
}

async function failureOf(id: string) {
  const { status, body } = await ferry.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)
  expect(status).toBe(200)
  return body.failure
}

async function refused(started: ReturnType<Ferry['storeferry']>): Promise<string> {
  const { code, errors } = await started
  expect(errors).toMatch(oneLine)
  expect(code).toBe(1)
  return errors
}

test('a login with a wrong secret is refused in one line', async () => {
  const errors = await refused(ferry.signIn('not-the-secret'))
  expect(errors).toContain('Check each of them. (invalid_credentials)')
  expect(errors).not.toContain('not-the-secret')
})

test('a command says where it found no service and how to start one', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const args = ['login', '--username', 'Olive', '--email', 'olive@reed.example', '--organization', organisation]
  const nowhere = ferry.storeferry([...args, '--client-id', 'sfc_x', '--secret-stdin'], {
    input: 'secret',
    environment: { STOREFERRY_URL: url },
  })
  expect(await refused(nowhere)).toContain(`No answer from ${url}`)
})

test('a migration of a store nobody connected, or of one store onto itself, is refused with the field and the remedy', async () => {
  expect((await ferry.signIn()).code).toBe(0)
  const unknown = ferry.storeferry(['migrate', '--source', 'nobody', '--destination', 'destination'])
  expect(await refused(unknown)).toContain('source: No store nobody is connected to your organisation; connect it')
  const twice = ferry.storeferry(['migrate', '--source', 'source', '--destination', 'source'])
  expect(await refused(twice)).toContain('destination: The destination is the source; name another connected store.')
})

test('a migration that does not exist is refused wherever it is named', async () => {
  const id = '00000000-0000-4000-8000-000000000000'
  for (const command of ['watch', 'issues', 'pause'])
    expect(await refused(ferry.storeferry([command, id]))).toContain(`Your organisation has no migration ${id}`)
})

test('an item that the platform refuses is listed with its name, the words of the platform and the remedy', async () => {
  const products = ferry.sandbox.store('source').table('products')
  const [product] = products.find({})
  const name = String(product?.name)
  products.update(Number(product?.id), { name: `${name} [[refuse]]` })
  const watched = await ferry.storeferry(['migrate', '--source', 'source', '--destination', 'picky', '--watch'])
  products.update(Number(product?.id), { name })
  expect(watched).toMatchObject({ code: 1, errors: '' })
  const [id = ''] = watched.output.match(/[0-9a-f-]{36}/) ?? []
  const { code, output, errors } = await ferry.storeferry(['issues', id])
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(output).toContain(`failure (open) platform_refused: products ${product?.id} "${name} [[refuse]]"`)
  expect(output).toContain('Correct the item in the source store as the platform says, then run again.')
})

test('a store is not connected with a wrong token or under a hash that does not exist, and the message says what to do', async () => {
  const wrong = await refused(connect('source', { token: 'a-wrong-token' }))
  expect(wrong).toContain('Store source does not accept this API token. Copy the token of an API account of this very')
  expect(wrong).not.toContain('a-wrong-token')
  expect(await refused(connect('source', { hash: 'nosuchstore' }))).toContain('The platform has no store nosuchstore.')
})

test('scopes that a token lacks are named when it is connected, and end a run before it starts copying', async () => {
  const connected = await connect('narrow')
  expect(connected).toMatchObject({ code: 0, errors: '' })
  expect(connected.output).toContain('Its API token lacks scopes a copy needs: store_v2_products_read_only.')
  const run = await ferry.finished(await migrate('narrow'))
  expect(run.status).toBe('failed')
  expect(run.summaryLine).toContain(
    'The API token of the destination store narrow lacks the scope store_v2_products_read_only, store_v2_orders_read_only, store_inventory_read_only.',
  )
  expect(await failureOf(run.requestId)).toMatchObject({ code: 'missing_scope' })
})

test('a scope that only some entities need ends a run over them before it starts copying, and no other', async () => {
  expect(await connect('catalogue')).toMatchObject({ code: 0, errors: '' })
  const run = await ferry.finished(await migrate('catalogue'))
  expect(run.status).toBe('failed')
  expect(run.summaryLine).toContain(
    'lacks the scope store_locations_read_only, store_v2_customers_read_only, store_v2_content_read_only, store_sites_read_only, store_themes_read_only, store_v2_orders_read_only, store_inventory_read_only.',
  )
  expect(ferry.sandbox.store('catalogue').table('categories').count()).toBe(0)
  const brands = await ferry.finished(await migrate('catalogue', { entities: ['brands'] }))
  expect(brands.status).toBe('completed')
})

test('a token that may read but not write ends the run at the first write, in words that watch shows', async () => {
  const id = await migrate('readonly', { entities: ['categories', 'brands', 'products'] })
  const watched = await ferry.storeferry(['watch', id])
  expect(watched).toMatchObject({ code: 1, errors: '' })
  const words = 'Failed: The API token of the destination store readonly lacks the scope store_v2_products. Give'
  expect(watched.output).toContain(words)
  expect(await failureOf(id)).toMatchObject({ code: 'missing_scope', message: expect.stringContaining('readonly') })
  const { body } = await ferry.api<{ items: unknown[] }>('GET', `/v2/migrations/${id}/issues?severity=failure`)
  expect(body.items).toEqual([])
})

test('a token that was replaced since ends the run with the store and the remedy; the new token lets the next one through', async () => {
  const source = ferry.sandbox.stores.source
  // It asks the source too, and would end for the reason of this test.
  await ferry.finished(copyToAway)
  await ferry.fault('source', {
    kind: 'error_before_applying',
    status: 401,
    method: 'GET',
    path: '^/v2/store$',
    times: null,
  })
  const run = await ferry.finished(await migrate('destination'))
  expect(run.status).toBe('failed')
  expect(run.summaryLine).toContain('The source store source does not accept its API token. Create an API account')
  expect(await failureOf(run.requestId)).toMatchObject({ code: 'credentials_revoked' })
  await ferry.clearFaults('source')
  expect((await connect('source', { token: source?.token })).code).toBe(0)
  const next = await ferry.storeferry(['migrate', '--source', 'source', '--destination', 'destination', '--watch'])
  expect(next).toMatchObject({ code: 0, errors: '' })
})

test('a single refusal of a token is a slip of the platform: the run goes on in another attempt and copies everything', async () => {
  await ferry.fault('again', {
    kind: 'error_before_applying',
    status: 401,
    method: 'POST',
    path: '/v3/catalog/products$',
  })
  expect(await ferry.finished(await migrate('again'))).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(ferry.written()).toContain('the run stopped on a fault')
  const count = (store: string) => ferry.sandbox.store(store).table('products').count({})
  expect(count('again')).toBe(count('source'))
})

test('a store that cannot be reached is named, at connecting and by the run, which ends after one round of tries', async () => {
  expect(await refused(connectingAway)).toContain(
    'Store away does not answer. Check BIGCOMMERCE_API_URL and that the store',
  )
  const run = await ferry.finished(copyToAway)
  expect(run.status).toBe('failed')
  expect(run.summaryLine).toContain('The destination store away cannot be reached (no answer to GET /v2/store).')
  expect(await failureOf(copyToAway)).toMatchObject({ code: 'store_unreachable' })
})

test('S22: whatever went wrong, no secret was written by the service or the processes of its runs', () => {
  const written = ferry.written()
  expect(written).toContain('"role":"run"')
  const leaked = Object.entries(ferry.secrets).filter(([, secret]) => written.includes(secret))
  expect(leaked.map(([what]) => what)).toEqual([])
})
