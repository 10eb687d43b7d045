import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { pngFor } from '../../sandbox/images/images.ts'
import type { Issue } from '../../src/contract/issues.ts'
import { imageFile } from '../../src/entities/core/image-file.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import { pictureForm } from '../sandbox/picture-form.ts'
import { callStore } from './call-store.ts'
import { pausedAtProducts } from './paused-at-products.ts'

/** Twelve products with pictures and metafields, and runs that copy nothing else. */
const justProducts = { catalogueOnly: true, entities: ['products'] }

/** Messages by code and subject. */
function byCode(issues: Issue[]): Record<string, string> {
  return Object.fromEntries(issues.map(({ code, item, message }) => [`${code} ${item.sourceId}`, message]))
}

const pictureReport = async (world: World, id: string) =>
  byCode((await world.issues(id)).filter(({ code }) => code === 'picture_reduced'))
const storeReport = async (world: World, id: string) => byCode(await world.findings(id))

/** Fingerprints of the bytes of every product picture, as a shopper gets them from the original. */
async function originals(world: World, side: 'source' | 'destination'): Promise<string[]> {
  const { images = [] } = await world.state(side)
  const { url } = world.address(side)
  const bytes = images.map(async ({ image_file }) => (await fetch(`${url}/images/${image_file}`)).arrayBuffer())
  return (await Promise.all(bytes)).map((one) => createHash('sha256').update(Buffer.from(one)).digest('hex')).sort()
}

longTest(
  'F1: pictures are copied from their originals where the source serves them, and nothing is reported',
  async () => {
    const world = await aWorld(justProducts)
    const run = await world.complete()
    expect(run.status).toBe('completed')
    expect(await originals(world, 'destination')).toEqual(await originals(world, 'source'))
    expect(await pictureReport(world, run.requestId)).toEqual({})
  },
)

longTest(
  'F1: where originals cannot be fetched, pictures are copied in reduced size and one warning says so',
  async () => {
    const world = await aWorld({ ...justProducts, switches: { source: { serve_originals: 'images' } } })
    const run = await world.complete()
    expect(run.status).toBe('completed')
    const { images = [] } = await world.state('destination')
    expect(images.length).toBeGreaterThan(0)
    expect(images.filter(({ image_file }) => !/\.1280\.1280__/.test(String(image_file)))).toEqual([])
    expect(await pictureReport(world, run.requestId)).toEqual({
      'picture_reduced originals': expect.stringContaining('at most 1280 pixels'),
    })
    // By name they are the same pictures.
    expect((await world.verify(run.requestId)).differences).toEqual([])
  },
)

longTest('F1: one picture that is broken in every size does not make a run report reduced pictures', async () => {
  const world = await aWorld(justProducts)
  const { images = [] } = await world.state('source')
  const broken = images.find(({ product_id }) => product_id === images[0]?.product_id)
  await world.fault('source', { kind: 'image_unfetchable', path: String(broken?.image_file).replace(/\.\w+$/, '') })
  const run = await world.complete()
  expect(await pictureReport(world, run.requestId)).toEqual({})
})

longTest(
  'F1: a picture whose original is missing, or whose address is too long, is copied in reduced size and reported',
  async () => {
    const world = await aWorld(justProducts)
    const { images = [] } = await world.state('source')
    const [long, missing] = images.slice(-2)
    const image_file = `a/${'x'.repeat(200)}__00001.png`
    await world.change('source', { op: 'set', table: 'images', id: Number(long?.id), fields: { image_file } })
    // A reduced picture has its size before the extension.
    const original = String(missing?.image_file).split('/').pop()
    await world.fault('source', { kind: 'image_unfetchable', path: `${original?.replace('.', '\\.')}$`, times: null })
    const tooLong = {
      [`picture_reduced ${long?.product_id}`]: expect.stringContaining('originals of 1 of its pictures'),
    }
    const dry = await world.complete({ mode: 'dry-run' })
    expect(await pictureReport(world, dry.requestId)).toEqual({
      ...tooLong,
      [`picture_reduced ${missing?.id}`]: expect.stringContaining('would be copied with at most 1280 pixels'),
    })
    const run = await world.complete()
    expect(await pictureReport(world, run.requestId)).toEqual({
      ...tooLong,
      [`picture_reduced ${missing?.id}`]: expect.stringContaining('was copied with at most 1280 pixels'),
    })
    const { images: copies = [] } = await world.state('destination')
    expect(copies).toHaveLength(images.length)
    expect(copies.filter(({ image_file: file }) => /\.1280\.1280__/.test(String(file)))).toHaveLength(2)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  },
)

test('F6: what cannot be copied from a store is reported before the first phase, and counted as a warning', async () => {
  const world = await aWorld(justProducts)
  const run = await world.complete()
  expect(await storeReport(world, run.requestId)).toEqual({
    'not_copied webdav-files': expect.stringContaining('of the 12 sampled products'),
  })
  // Twelve products without their brands and categories.
  expect(run.counters.warnings).toBe((await world.issues(run.requestId)).length + 1)
  const { rows } = await sql<{ before: boolean }>`
    select max(i.first_at) <= min(t.started_at) as before from issues i, run_phase_times t
    where i.run_id = ${run.requestId} and i.code = 'not_copied' and t.run_id = i.run_id`.execute(world.database)
  expect(rows).toEqual([{ before: true }])
})

test('F6: shared options, digital files, gift wraps and metafields of other accounts are counted', async () => {
  const world = await aWorld(justProducts)
  const { products = [], product_metafields: metafields = [] } = await world.state('source')
  const [first, second] = products
  const set = (table: string, id: unknown, fields: object) =>
    world.change('source', { op: 'set', table, id: Number(id), fields: { ...fields } })
  await set('products', first?.id, { option_set_id: 17, gift_wrapping_options_type: 'list' })
  await set('products', second?.id, { type: 'digital' })
  await set('product_metafields', metafields[0]?.id, { owner_client_id: 'another-app' })
  const run = await world.complete()
  expect(await storeReport(world, run.requestId)).toEqual({
    'not_copied webdav-files': expect.any(String),
    'not_copied digital-files': expect.stringMatching(/^The files of 1 digital product are/),
    'not_copied shared-options': expect.stringMatching(/^1 of the 12 sampled products/),
    'not_copied gift-wraps': expect.stringMatching(/^1 of the 12 sampled products/),
    'not_copied metafields-of-others': expect.stringMatching(/^1 of the \d+ sampled product metafields/),
  })
})

test('F6: the issue of a run has the message and the remedy that the preflight announced', async () => {
  const world = await aWorld(justProducts)
  const { products = [] } = await world.state('source')
  await world.change('source', {
    op: 'set',
    table: 'products',
    id: Number(products[0]?.id),
    fields: { type: 'digital' },
  })
  const pair = { source: world.address('source').hash, destination: world.address('destination').hash }
  const request = { ...pair, entities: ['products'] }
  const { body } = await world.api<{ notCopied: Issue[] }>('POST', '/v2/preflight', request)
  const announced = body.notCopied.map(({ message, remedy }) => ({ message, remedy }))
  expect(announced.map(({ remedy }) => remedy)).toEqual([
    expect.stringMatching(/^Upload each file/),
    expect.stringMatching(/^Copy both folders/),
  ])
  const run = await world.complete()
  const reported = (await world.findings(run.requestId)).map(({ message, remedy }) => ({ message, remedy }))
  expect(reported).toHaveLength(announced.length)
  expect(reported).toEqual(expect.arrayContaining(announced))
})

longTest(
  'F6: differing units and default currencies and unpaired storefronts are reported, but not by a run over brands alone',
  async () => {
    const world = await aWorld({
      seeds: { source: 'tiny-two-storefronts' },
      switches: { destination: { weight_units: 'KGS', dimension_units: 'Centimeters' } },
    })
    const euro = {
      name: 'Euro',
      currency_code: 'EUR',
      currency_exchange_rate: '0.92',
      token: '€',
      token_location: 'right',
    }
    const spelling = { decimal_token: ',', thousands_token: '.', decimal_places: 2, is_default: true }
    await callStore(world, 'destination', 'POST', '/v2/currencies', { ...euro, ...spelling })
    const run = await world.complete({ entities: ['products', 'currencies'] })
    const findings = await storeReport(world, run.requestId)
    expect(Object.keys(findings).sort()).toEqual([
      'channel_unpaired channels',
      'different_setting currency',
      'different_setting dimension_units',
      'different_setting exchange-rates',
      'different_setting weight_units',
      'not_copied overrides',
      'not_copied webdav-files',
    ])
    expect(findings['different_setting currency']).toContain('USD in the source store and EUR in the destination store')
    const brands = await world.complete({ entities: ['brands'] })
    expect(await storeReport(world, brands.requestId)).toEqual({})
  },
)

longTest(
  'F6: carriers, payments in currencies and promotions that stay disabled are reported, carriers only with shipping zones',
  async () => {
    const world = await aWorld()
    const { promotions = [], shipping_methods: methods = [], currencies = [] } = await world.state('source')
    const change = (table: string, id: unknown, fields: Record<string, unknown>) =>
      world.change('source', { op: 'set', table, id: Number(id), fields })
    const euro = currencies.find(({ currency_code: code }) => code === 'EUR')
    await change('currencies', euro?.id, { is_transactional: true })
    await change('shipping_methods', methods[0]?.id, { type: 'upsready', settings: {} })
    const live = promotions.find(({ status }) => status === 'ENABLED')
    await change('promotions', live?.id, { channels: [{ id: 987 }] })
    const shipping = await world.complete({ entities: ['shipping-zones'] })
    expect(await storeReport(world, shipping.requestId)).toMatchObject({
      'not_copied carriers': expect.stringMatching(/^The prices of 1 shipping method .*\(upsready\)/),
    })
    const others = await world.complete({ entities: ['currencies', 'promotions'] })
    const reported = await storeReport(world, others.requestId)
    expect(reported).not.toHaveProperty(['not_copied carriers'])
    expect(reported).toMatchObject({
      'not_copied payments-in-currencies': expect.stringContaining('payments in EUR'),
      'not_copied promotions-left-off': expect.stringContaining('copies (channel 987, '),
    })
  },
)

longTest('F6: a resumed run reports its findings once, and copies pictures the way it began', async () => {
  const world = await aWorld({ ...justProducts, requestTimeoutSeconds: 30 })
  const id = await pausedAtProducts(world)
  const { products = [] } = await world.state('destination')
  expect(products.length).toBeLessThan(12)
  // If it were decided again now, the other pictures would be reduced.
  await world.fault('source', { kind: 'image_unfetchable', path: '__\\d+\\.png$', times: 10 })
  await world.api('POST', `/v2/migrations/${id}/resume`)
  await world.finished(id)
  expect(await pictureReport(world, id)).toEqual({})
  expect((await world.findings(id)).map(({ code, attempts }) => [code, attempts])).toEqual([['not_copied', 1]])
})

test('F6: preflight takes at most twelve calls to each store', async () => {
  const world = await aWorld({ seeds: { source: 'empty' } })
  const run = await world.complete({ entities: ['brands'] })
  const { rows } = await sql<{ side: string; calls: number }>`
    select side, sum(calls)::integer as calls from run_calls where run_id = ${run.requestId} group by side`.execute(
    world.database,
  )
  const calls = Object.fromEntries(rows.map((row) => [row.side, row.calls]))
  // The other three get the address of the shop, by which links are rewritten, and the lists of brands and their metafields.
  expect(calls.source).toBeLessThanOrEqual(12 + 3)
  expect(calls.destination).toBeLessThanOrEqual(12 + 3)
  expect(calls.source).toBeGreaterThan(5)
})

/** The accounts that created the destination's metafields. */
async function owners(world: World): Promise<unknown[]> {
  const { product_metafields: metafields = [] } = await world.state('destination')
  return [...new Set(metafields.map(({ owner_client_id }) => owner_client_id))]
}

/** Connects the destination with a token of its other API account. */
async function connectOther(world: World): Promise<string> {
  const { clientId, token } = world.address('destination').accounts.other ?? { clientId: '', token: '' }
  await world.reconnect('destination', token)
  return clientId
}

longTest(
  'F6: the destination’s API account is learned from its first metafield; the run that notices another one, and the next run, report it',
  async () => {
    const world = await aWorld({ ...justProducts, otherAccount: true })
    const first = await world.complete()
    expect(await storeReport(world, first.requestId)).not.toHaveProperty(['client_changed destination'])
    const known = () =>
      sql<{ client: string }>`
    select platform_client_id as client from stores where hash = ${world.address('destination').hash}`.execute(
        world.database,
      )
    expect((await known()).rows).toEqual([{ client: world.address('destination').accounts.main?.clientId }])
    const other = await connectOther(world)
    // A new metafield, created by the other account.
    const { products = [] } = await world.state('source')
    const metafield = { namespace: 'new', key: 'new', value: 'new', permission_set: 'read' }
    await callStore(world, 'source', 'POST', `/v3/catalog/products/${products[0]?.id}/metafields`, metafield)
    const second = await world.complete()
    expect(await owners(world)).toContain(other)
    expect(await storeReport(world, second.requestId)).toHaveProperty(['client_changed destination'])
    expect((await known()).rows).toEqual([{ client: world.address('destination').accounts.main?.clientId }])
    // From then on it is reported before the first phase.
    const third = await world.complete()
    expect(await storeReport(world, third.requestId)).toHaveProperty(['client_changed destination'])
  },
)

longTest(
  'F6: metafields that the present account may not see are matched by their mappings and not created again',
  async () => {
    const world = await aWorld({ ...justProducts, otherAccount: true })
    const { product_metafields: metafields = [] } = await world.state('source')
    for (const { id } of metafields)
      await world.change('source', {
        op: 'set',
        table: 'product_metafields',
        id,
        fields: { permission_set: 'app_only' },
      })
    await world.complete()
    const before = (await world.state('destination')).product_metafields
    await connectOther(world)
    // Webhooks show which account a token belongs to before anything is written.
    const { url, accounts } = world.address('destination')
    const hook = { scope: 'store/product/*', destination: 'http://127.0.0.1:9/', is_active: false }
    const made = await fetch(`${url}/v3/hooks`, {
      method: 'POST',
      headers: { 'x-auth-token': accounts.other?.token ?? '', 'content-type': 'application/json' },
      body: JSON.stringify(hook),
    })
    expect(made.status).toBe(200)
    for (const conflictStrategy of ['skip', 'update']) {
      const run = await world.complete({ conflictStrategy })
      expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
      expect(await storeReport(world, run.requestId)).toHaveProperty(['client_changed destination'])
      expect((await world.state('destination')).product_metafields).toEqual(before)
    }
  },
)

longTest('F1: deepImages compares the sizes of pictures, and only warns', async () => {
  const world = await aWorld(justProducts)
  const run = await world.complete({ deepImages: true })
  const same = await world.verify(run.requestId)
  expect(await world.issues(same.detail.requestId)).toEqual([])
  // Another picture under the same name.
  const { images = [] } = await world.state('destination')
  const image = images[0]
  const name = imageFile(image?.image_file)
  const { url, token } = world.address('destination')
  const answer = await fetch(`${url}/v3/catalog/products/${image?.product_id}/images/${image?.id}`, {
    method: 'PUT',
    headers: { 'x-auth-token': token },
    body: pictureForm(name, Buffer.concat([pngFor(name), Buffer.alloc(1000)])),
  })
  expect(answer.status).toBe(200)
  const { detail, differences } = await world.verify(run.requestId)
  expect([detail.status, detail.failuresOpen, differences]).toEqual(['completed', 0, []])
  expect(await world.issues(detail.requestId)).toMatchObject([
    { code: 'picture_differs', severity: 'warning', destinationId: String(image?.id), item: { name } },
  ])
  expect(detail.counters.warnings).toBe(1)
  // A comparison of picked products looks at their pictures only.
  const original = (await world.state('source')).images?.find((one) => imageFile(one.image_file) === name)
  const other = (await world.state('source')).images?.find((one) => one.product_id !== original?.product_id)
  const reported = async (id: unknown) => {
    const selection = { products: { ids: [String(id)] } }
    const { requestId } = await world.complete({ mode: 'verify', deepImages: true, selection })
    return (await world.issues(requestId)).map(({ code }) => code)
  }
  expect(await reported(other?.product_id)).toEqual([])
  expect(await reported(original?.product_id)).toEqual(['picture_differs'])
})

test('F1: a comparison of sizes that a shop does not show says how many pictures it is about', async () => {
  const world = await aWorld({ ...justProducts, switches: { destination: { serve_originals: 'images' } } })
  await world.complete()
  const { images = [] } = await world.state('source')
  const products = Map.groupBy(images, ({ product_id }) => String(product_id))
  const said = async (count: number) => {
    const [id] = [...products].find(([, pictures]) => pictures.length === count) ?? []
    const selection = { products: { ids: [String(id)] } }
    const { requestId } = await world.complete({ mode: 'verify', deepImages: true, selection })
    return (await world.issues(requestId)).map(({ message }) => message)
  }
  expect(await said(1)).toEqual([expect.stringMatching(/^The only picture could not be compared by size: /)])
  expect(await said(2)).toEqual([expect.stringMatching(/^None of 2 pictures could be compared by size: /)])
})
