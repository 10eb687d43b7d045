import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { until } from '../harness/until.ts'
import { wordsOf } from './clear-words.ts'
import { type Ferry, startFerry } from './ferry.ts'

/** Read-only, except for a destination that each test has for itself. */
let ferry: Ferry
let words: ReturnType<typeof wordsOf>
beforeAll(async () => {
  ferry = await startFerry()
  words = wordsOf(ferry)
  expect((await ferry.signIn()).code).toBe(0)
})
afterAll(() => ferry?.stop())

test('an item that the platform refuses is listed with its code, its name and the remedy', async () => {
  const products = ferry.sandbox.store('flawed').table('products')
  const [product] = products.find({})
  const name = String(product?.name)
  products.update(Number(product?.id), { name: `${name} [[refuse]]` })
  const watched = await ferry.storeferry(['migrate', '--source', 'flawed', '--destination', 'picky', '--watch'])
  expect(watched).toMatchObject({ code: 4, errors: '' })
  const [id = ''] = watched.output.match(/[0-9a-f-]{36}/) ?? []
  const { code, output, errors } = await ferry.storeferry(['issues', id])
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(output).toContain(`failure (open) platform_refused: products ${product?.id} "${name} [[refuse]]"`)
  expect(output).toContain('Correct the item in the source store as the platform’s message says, then run again.')
})

test('missing scopes of a token are named when it is connected, and by the run, which pauses', async () => {
  const connected = await words.connect('narrow')
  expect(connected).toMatchObject({ code: 0, errors: '' })
  expect(connected.output).toContain(
    'Its API token lacks scopes a copy needs: store_v2_products_read_only, store_v2_marketing_read_only, store_v2_orders_read_only, store_inventory_read_only.',
  )
  const run = await ferry.finished(await words.migrate('narrow'))
  expect(run.status).toBe('paused')
  expect(run.summaryLine).toContain(
    'The API token of the destination store narrow lacks the scope store_v2_products_read_only, store_v2_orders_read_only, store_inventory_read_only.',
  )
  expect(await words.failureOf(run.requestId)).toMatchObject({ code: 'missing_scope' })
})

test('missing scopes of some entities pause a run over all before it creates a category, and do not stop a run over brands', async () => {
  expect(await words.connect('catalogue')).toMatchObject({ code: 0, errors: '' })
  const run = await ferry.finished(await words.migrate('catalogue'))
  expect(run.status).toBe('paused')
  expect(run.summaryLine).toContain(
    'lacks the scope store_locations_read_only, store_v2_customers_read_only, store_v2_content_read_only, store_sites_read_only, store_themes_read_only, store_v2_orders_read_only, store_inventory_read_only.',
  )
  expect(ferry.sandbox.store('catalogue').table('categories').count()).toBe(0)
  const brands = await ferry.finished(await words.migrate('catalogue', { entities: ['brands'] }))
  expect(brands.status).toBe('completed')
})

test('a refused token pauses the run with a message that names the store and the remedy; after reconnecting, a run succeeds', async () => {
  const source = ferry.sandbox.stores.locked
  await ferry.fault('locked', {
    kind: 'error_before_applying',
    status: 401,
    method: 'GET',
    path: '^/v2/store$',
    times: null,
  })
  const run = await ferry.finished(await words.migrate('destination', { source: 'locked' }))
  expect(run.status).toBe('paused')
  expect(run.summaryLine).toContain('The source store locked does not accept its API token. Create an API account')
  expect(await words.failureOf(run.requestId)).toMatchObject({ code: 'credentials_revoked' })
  await ferry.clearFaults('locked')
  expect((await words.connect('locked', { token: source?.token })).code).toBe(0)
  const next = await ferry.storeferry(['migrate', '--source', 'locked', '--destination', 'destination', '--watch'])
  expect(next).toMatchObject({ code: 0, errors: '' })
})

test('a token refused only once neither pauses the run nor loses a product', async () => {
  await ferry.fault('again', {
    kind: 'error_before_applying',
    status: 401,
    method: 'POST',
    path: '/v3/catalog/products$',
  })
  expect(await ferry.finished(await words.migrate('again'))).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(ferry.written()).toContain('a store refused a call; the rest of the pass is left to a later attempt')
  const count = (store: string) => ferry.sandbox.store(store).table('products').count({})
  expect(count('again')).toBe(count('source'))
})

test('a store that cannot be reached is named when it is connected, and by the run, which waits for it', async () => {
  // It is called five times within three quarters of a minute.
  await ferry.fault('away', { kind: 'reset_before_applying', times: null })
  const copyToAway = await words.migrate('away')
  expect(await words.refused(words.connect('away'))).toContain(
    'Store away does not respond. Check BIGCOMMERCE_API_URL and that the store',
  )
  const waiting = async () => {
    // The API takes 600 requests a minute.
    await setTimeout(500)
    const { body } = await ferry.api<MigrationDetail>('GET', `/v2/migrations/${copyToAway}`)
    return body.summaryLine.startsWith('Waiting for') && body.summaryLine
  }
  expect(await until('the run waits', waiting, { seconds: 120 })).toContain('the destination store away since')
  await ferry.clearFaults('away')
  expect(await ferry.finished(copyToAway)).toMatchObject({ status: 'completed' })
})
