import { expect, test } from 'vitest'
import type { Deletion } from '../../src/contract/deletions.ts'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { aProductThatShrank, deletes, differences, generous, listed, type Row, rows, writes } from './replace-story.ts'

test('G17: `replace` deletes children that an earlier `update` left on an item that has not changed since', async () => {
  const world = await aProductThatShrank()
  const updated = await world.complete({ conflictStrategy: 'update' })
  expect(updated.status).toBe('completed')
  const left = (await differences(world)).length
  expect(left).toBeGreaterThan(0)
  await world.complete({ conflictStrategy: 'update' })
  expect((await differences(world)).length).toBe(left)

  await world.resetRequests('destination')
  const run = await world.complete(generous)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await differences(world)).toEqual([])
  expect(await deletes(world)).toHaveLength(3)
  expect((await world.issues(run.requestId)).map(({ code }) => code)).not.toContain('destination_changed')

  await world.resetRequests('destination')
  await world.complete(generous)
  expect(await writes(world)).toEqual([])
})

const shopper = { email: 'morgan@shoppers.example', first_name: 'Morgan', last_name: 'Lee' }
const other = { email: 'alex@shoppers.example', first_name: 'Alex', last_name: 'Roy' }
const address = {
  ...shopper,
  street_1: '1 Sample Street',
  city: 'Austin',
  state: 'Texas',
  zip: '78751',
  country: 'United States',
}
const order = {
  status_id: 11,
  billing_address: address,
  products: [{ name: 'Lamp', quantity: 1, price_ex_tax: 10, price_inc_tax: 11 }],
}
const review = (n: number) => ({
  title: `Review ${n}`,
  text: 'Fine.',
  status: 'approved',
  rating: 5,
  name: 'Morgan',
  date_reviewed: '2026-01-02T03:04:05Z',
})
const life = ['categories', 'brands', 'products', 'customer-groups', 'customers', 'subscribers', 'wishlists']

/** A copied store whose destination has shoppers of its own. */
async function aStoreWithShoppers(reviews: number) {
  const world = await aWorld({ entities: life })
  await world.complete()
  const theirs = <Data = Row>(method: string, path: string, body?: unknown) =>
    callStore<Data>(world, 'destination', method, path, body)
  const [buyer, visitor] = await theirs<Row[]>('POST', '/v3/customers', [shopper, other])
  await theirs('POST', '/v2/orders', { ...order, customer_id: buyer?.id })
  await theirs('POST', '/v3/customers/subscribers', { ...shopper, channel_id: 1, source: 'storefront' })
  await theirs('POST', '/v3/wishlists', { customer_id: buyer?.id, name: 'Birthday', is_public: false, items: [] })
  const [product] = await rows(world, 'destination', 'products')
  for (let n = 1; n <= reviews; n++) await theirs('POST', `/v3/catalog/products/${product?.id}/reviews`, review(n))
  await world.resetRequests('destination')
  return { world, buyer, visitor }
}

const people = ['customers', 'subscribers', 'wishlists', 'product-reviews']

test('G3: with the usual limits `replace` deletes nothing that shoppers made, and verify lists it as kept', async () => {
  const { world } = await aStoreWithShoppers(130)
  const before = await world.state('destination')
  const run = await world.complete({ conflictStrategy: 'replace' })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await deletes(world)).toEqual([])
  const after = await world.state('destination')
  for (const table of ['customers', 'subscribers', 'wishlists', 'reviews', 'orders'])
    expect(
      after[table]?.map(({ id }) => id),
      table,
    ).toEqual(before[table]?.map(({ id }) => id))

  const { detail, differences: found } = await world.verify(run.requestId)
  expect(detail).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const extras = found.filter(({ kind }) => kind === 'extra')
  expect(extras.filter(({ kept }) => !kept)).toEqual([])
  const kept = Object.groupBy(extras, ({ component }) => component)
  expect(Object.fromEntries(Object.entries(kept).map(([component, list]) => [component, list?.length]))).toEqual({
    customers: 2,
    subscribers: 1,
    wishlists: 1,
    'product-reviews': 130,
  })
})

longTest(
  'G3: `replace` deletes what shoppers made where the request names it, and never a customer with orders',
  async () => {
    const { world, buyer, visitor } = await aStoreWithShoppers(3)
    const run = await world.complete({ ...generous, pruneLive: people })
    expect(run.status).toBe('completed')
    const ids = (await rows(world, 'destination', 'customers')).map(({ id }) => id)
    expect(ids).toContain(buyer?.id)
    expect(ids).not.toContain(visitor?.id)
    expect((await deletes(world)).length).toBe(6)
    const { differences: found } = await world.verify(run.requestId)
    const extras = found.filter(({ kind }) => kind === 'extra')
    expect(extras.map(({ component, kept }) => [component, kept])).toEqual([['customers', true]])
  },
)

longTest('G3: a coupon that was used is kept, and an unused one is deleted', async () => {
  const world = await aWorld({ entities: ['categories', 'products', 'coupons'] })
  await world.complete()
  const coupon = (code: string) => ({
    name: code,
    code,
    type: 'per_total_discount',
    amount: '5',
    enabled: true,
    applies_to: { entity: 'categories', ids: [0] },
  })
  const used = await callStore<Row>(world, 'destination', 'POST', '/v2/coupons', coupon('USED-5'))
  await callStore(world, 'destination', 'POST', '/v2/coupons', coupon('FRESH-5'))
  await world.change('destination', { op: 'set', table: 'coupons', id: used.id, fields: { num_uses: 2 } })
  await world.complete(generous)
  const codes = (await rows(world, 'destination', 'coupons')).map(({ code }) => code)
  expect(codes).toContain('USED-5')
  expect(codes).not.toContain('FRESH-5')
})

/** Runs `replace`, and does something while the first deletion, of something else, is under way. */
async function replaceWhile(world: World, deletes: string, meanwhile: () => Promise<unknown>): Promise<string> {
  const first = { kind: 'hold_after_applying', method: 'DELETE', path: deletes, times: 1 } as const
  const fault = await world.fault('destination', first)
  const id = await world.migrate(generous)
  await until('the first deletion is under way', async () =>
    (await world.faults('destination')).some((one) => one.id === fault && one.hits > 0),
  )
  await meanwhile()
  await world.release('destination')
  expect((await world.finished(id)).status).toBe('completed')
  return id
}

longTest('G3: a coupon that is used after the run has listed it is kept, with a warning', async () => {
  const world = await aWorld({ entities: ['categories', 'products', 'coupons', 'pages'], requestTimeoutSeconds: 30 })
  await world.complete()
  const make = (code: string) =>
    callStore<Row>(world, 'destination', 'POST', '/v2/coupons', {
      ...{ name: code, code, type: 'per_total_discount', amount: '5', enabled: true },
      applies_to: { entity: 'categories', ids: [0] },
    })
  const used = await make('USED-LATE')
  await make('NEVER-USED')
  const page = { name: 'Only There', type: 'page', body: 'Here.', channel_id: 1 }
  await callStore(world, 'destination', 'POST', '/v3/content/pages', page)
  const id = await replaceWhile(world, '^/v3/content/pages', () =>
    world.change('destination', { op: 'set', table: 'coupons', id: used.id, fields: { num_uses: 1 } }),
  )
  const codes = (await rows(world, 'destination', 'coupons')).map(({ code }) => code)
  expect(codes).toContain('USED-LATE')
  expect(codes).not.toContain('NEVER-USED')
  const warned = (await world.issues(id)).filter(({ code }) => code === 'not_pruned')
  expect(warned.map(({ destinationId }) => destinationId)).toEqual([String(used.id)])
})

longTest(
  'D4: a group that becomes the one for new customers after the run has listed it is kept, with a warning',
  async () => {
    const world = await aWorld({ entities: ['customer-groups', 'pages'], requestTimeoutSeconds: 30 })
    await world.complete()
    const make = (path: string, body: object) => callStore<Row>(world, 'destination', 'POST', path, body)
    const regulars = await make('/v2/customer_groups', { name: 'Regulars' })
    await make('/v2/customer_groups', { name: 'Former' })
    await make('/v3/content/pages', { name: 'Only There', type: 'page', body: 'Here.', channel_id: 1 })
    const id = await replaceWhile(world, '^/v3/content/pages', () =>
      callStore(world, 'destination', 'PUT', `/v2/customer_groups/${regulars.id}`, { is_default: true }),
    )
    const names = (await rows(world, 'destination', 'customer_groups')).map(({ name }) => name)
    expect(names).toContain('Regulars')
    expect(names).not.toContain('Former')
    const warned = (await world.issues(id)).filter(({ code }) => code === 'not_pruned')
    expect(warned.map(({ destinationId }) => destinationId)).toEqual([String(regulars.id)])
  },
)

longTest('G4: a category is kept as long as it has one below it that stays', async () => {
  const world = await aWorld({ entities: ['categories', 'brands'], requestTimeoutSeconds: 30 })
  await world.complete()
  const make = (name: string, parent_id = 0) =>
    callStore<Row>(world, 'destination', 'POST', '/v3/catalog/categories', { name, parent_id })
  const change = (id: unknown, fields: object) =>
    callStore(world, 'destination', 'PUT', `/v3/catalog/categories/${id}`, fields)
  const [first, second, third] = [await make('Gets One'), await make('Has Edited One'), await make('Gets A Copy')]
  const edited = await make('Edited One', second.id)
  await make('Below Empty', (await make('Empty')).id)
  await callStore(world, 'destination', 'POST', '/v3/catalog/brands', { name: 'Goes First' })
  const [copied] = await rows(world, 'destination', 'categories')
  const id = await replaceWhile(world, '^/v3/catalog/brands', async () => {
    await make('Made Meanwhile', first.id)
    await change(edited.id, { description: 'Edited' })
    await change(copied?.id, { parent_id: third.id })
  })
  const names = (await rows(world, 'destination', 'categories')).map(({ name }) => name)
  const kept = ['Gets One', 'Made Meanwhile', 'Has Edited One', 'Edited One', 'Gets A Copy', copied?.name]
  expect(names).toEqual(expect.arrayContaining(kept))
  expect(names.filter((name) => String(name).includes('Empty'))).toEqual([])
  const warned = (await world.issues(id)).filter(({ code }) => code === 'not_pruned')
  expect(warned.map(({ destinationId }) => Number(destinationId)).sort()).toEqual(
    [first.id, second.id, third.id, edited.id].sort(),
  )
})

longTest('G3: a copy whose source item was deleted goes, and a second `replace` writes nothing', async () => {
  const world = await aWorld({ catalogueOnly: true, entities: ['categories', 'brands', 'products'] })
  await world.complete()
  const [brand] = await rows(world, 'source', 'brands')
  const products = (await rows(world, 'source', 'products')).filter(({ sku }) => sku !== '')
  const product = products.find(({ brand_id }) => brand_id !== brand?.id)
  await callStore(world, 'source', 'DELETE', `/v3/catalog/brands/${brand?.id}`)
  await callStore(world, 'source', 'DELETE', `/v3/catalog/products/${product?.id}`)
  const run = await world.complete(generous)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await differences(world)).toEqual([])
  const paths = (await deletes(world)).map(({ path }) => path.replace(/\d+$/, '*')).sort()
  expect(paths).toEqual(['/v3/catalog/brands/*', '/v3/catalog/products/*'])

  await world.resetRequests('destination')
  const again = await world.complete(generous)
  expect(again.status).toBe('completed')
  expect(await writes(world)).toEqual([])
  const { differences: found } = await world.verify(again.requestId)
  expect(found).toEqual([])
})

test('G3: a copy whose source item exists stays, even if the list of the source has lost the item', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['brands'], requestTimeoutSeconds: 30 })
  // Two more than a page holds: one of them moves to the first page, after that was read.
  for (let n = 1; n <= 252; n++) await callStore(world, 'source', 'POST', '/v3/catalog/brands', { name: `Brand ${n}` })
  await world.complete()
  const [first] = await rows(world, 'source', 'brands')
  // The forecast samples the list with its parameters in another order.
  const page = { method: 'GET', path: '^/v3/catalog/brands$', query: '^page=1&limit=250$' }
  const fault = await world.fault('source', { kind: 'hold_after_applying', ...page, times: 1 })
  const id = await world.migrate(generous)
  await until('the first page of the source is read', async () =>
    (await world.faults('source')).some((one) => one.id === fault && one.hits > 0),
  )
  await callStore(world, 'source', 'DELETE', `/v3/catalog/brands/${first?.id}`)
  await world.release('source')
  expect((await world.finished(id)).status).toBe('completed')
  const names = (await rows(world, 'destination', 'brands')).map(({ name }) => name)
  expect(names).toContain('Brand 251')
  expect(names).toContain('Brand 252')
})

test('G3: a copy whose source item exists stays, even if no reading of its list shows the item', async () => {
  const world = await aWorld({ entities: ['blog-posts'] })
  await world.complete()
  const posts = await rows(world, 'source', 'blog_posts')
  await world.fault('source', { kind: 'row_missing', method: 'GET', path: '^/v2/blog/posts$', times: null })
  const run = await world.complete(generous)
  expect(run.status).toBe('completed')
  expect(await rows(world, 'destination', 'blog_posts')).toHaveLength(posts.length)
  // Nor is it planned to be deleted, and kept by the last look before that.
  expect(await world.issues(run.requestId)).toEqual([])
})

longTest('G3: copies from one source survive a `replace` from another', async () => {
  const world = await aWorld({
    catalogueOnly: true,
    entities: ['categories', 'brands', 'products'],
    moreStores: ['second'],
  })
  await callStore(world, 'second', 'POST', '/v3/catalog/brands', { name: 'Second Works' })
  await callStore(world, 'second', 'POST', '/v3/catalog/products', {
    name: 'Second Lamp',
    type: 'physical',
    weight: 1,
    price: 1,
  })
  await world.complete()
  const names = async (table: string) => (await rows(world, 'destination', table)).map(({ name }) => name)
  const copied = await names('products')
  await callStore(world, 'destination', 'POST', '/v3/catalog/brands', { name: 'Nobody’s' })
  const run = await world.complete({ source: 'second', ...generous })
  expect(run.status).toBe('completed')
  expect(await names('products')).toEqual([...copied, 'Second Lamp'])
  expect(await names('brands')).toContain('Second Works')
  expect(await names('brands')).not.toContain('Nobody’s')
})

const lamp = { name: 'Only There Lamp', type: 'physical', weight: 1, price: 1 }

longTest(
  'G4: what `replace` would delete can be read in a dry run, and while the run waits for a confirmation',
  async () => {
    const world = await aWorld({ catalogueOnly: true, entities: ['brands'] })
    await world.complete()
    const theirs = await callStore<Row>(world, 'destination', 'POST', '/v3/catalog/brands', {
      name: 'Only There Goods',
    })
    const [gone] = await rows(world, 'source', 'brands')
    await callStore(world, 'source', 'DELETE', `/v3/catalog/brands/${gone?.id}`)
    const expected = [
      ['Only There Goods', 'destination_only', 'planned'],
      [gone?.name, 'source_deleted', 'planned'],
    ].sort()
    const lines = (items: Deletion[]) => items.map(({ item, reason, state }) => [item.name, reason, state]).sort()

    const dry = await world.complete({ ...generous, mode: 'dry-run' })
    expect(lines((await listed(world, dry.requestId)).items)).toEqual(expected)

    const id = await world.migrate({ conflictStrategy: 'replace', pruneLimitItems: 1 })
    await world.finished(id, { status: 'paused' })
    const first = await listed(world, id, '?limit=1')
    const second = await listed(world, id, `?limit=1&cursor=${first.nextCursor}`)
    expect(lines([...first.items, ...second.items])).toEqual(expected)
    expect(second.nextCursor).toBeNull()
    expect(await deletes(world)).toEqual([])

    const { prune } = (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
    await world.api('POST', `/v2/migrations/${id}/resume`, { confirmPrune: prune?.confirmPrune })
    expect((await world.finished(id)).status).toBe('completed')
    expect((await listed(world, id, '?state=planned')).items).toEqual([])
    const deleted = (await listed(world, id, '?state=deleted')).items
    expect(deleted.map(({ destinationId }) => destinationId)).toContain(String(theirs.id))
    expect(deleted).toHaveLength(2)
  },
)

longTest('G4: an item that was edited since it was planned is kept, with a warning', async () => {
  const world = await aWorld({ catalogueOnly: true, entities: ['brands', 'products'], requestTimeoutSeconds: 30 })
  await world.complete()
  const theirs = (method: string, path: string, body?: unknown) =>
    callStore<Row>(world, 'destination', method, path, body)
  const edited = await theirs('POST', '/v3/catalog/brands', { name: 'Edited Goods' })
  await theirs('POST', '/v3/catalog/brands', { name: 'Other Goods' })
  await theirs('POST', '/v3/catalog/products', lamp)
  // Products are deleted before brands.
  const fault = await world.fault('destination', {
    kind: 'hold_after_applying',
    method: 'DELETE',
    path: '^/v3/catalog/products/',
    times: 1,
  })
  const id = await world.migrate(generous)
  await until('the product is being deleted', async () =>
    (await world.faults('destination')).some((one) => one.id === fault && one.hits > 0),
  )
  await theirs('PUT', `/v3/catalog/brands/${edited.id}`, { page_title: 'Ours now' })
  await world.release('destination')
  expect((await world.finished(id)).status).toBe('completed')
  const names = (await rows(world, 'destination', 'brands')).map(({ name }) => name)
  expect(names).toContain('Edited Goods')
  expect(names).not.toContain('Other Goods')
  const states = (await listed(world, id)).items.map(({ item, state }) => [item.name, state])
  expect(states).toEqual(
    expect.arrayContaining([
      ['Edited Goods', 'kept'],
      ['Other Goods', 'deleted'],
      ['Only There Lamp', 'deleted'],
    ]),
  )
  const warned = (await world.issues(id)).filter(({ code }) => code === 'not_pruned')
  expect(warned.map(({ destinationId }) => destinationId)).toEqual([String(edited.id)])
})

longTest(
  'G4: an item whose like the source got while the run waited for a confirmation is kept, with a warning',
  async () => {
    const named = ['categories', 'brands', 'products', 'pages', 'blog-posts']
    const world = await aWorld({ entities: [...named, 'customer-groups', 'redirects'] })
    await world.complete()
    const addTo = async (side: 'source' | 'destination', which: 'Kept' | 'Gone') => {
      const parent = (await rows(world, side, 'categories')).find((row) => row.parent_id === 0)
      const category = { name: `${which} Shelf`, parent_id: parent?.id, tree_id: parent?.tree_id }
      await callStore(world, side, 'POST', '/v3/catalog/trees/categories', [category])
      await callStore(world, side, 'POST', '/v3/catalog/brands', { name: `${which} Goods` })
      await callStore(world, side, 'POST', '/v3/catalog/products', {
        ...lamp,
        name: `${side} ${which}`,
        sku: `${which}-1`,
      })
      await callStore(world, side, 'POST', '/v2/customer_groups', { name: `${which} Friends` })
      const redirect = { site_id: 1000, from_path: `/${which}`, to: { type: 'url', url: 'https://example.com/' } }
      await callStore(world, side, 'PUT', '/v3/storefront/redirects', [redirect])
    }
    await addTo('destination', 'Kept')
    await addTo('destination', 'Gone')
    const id = await world.migrate({ ...generous, pruneLimitItems: 1 })
    await world.finished(id, { status: 'paused' })
    await addTo('source', 'Kept')
    const { prune } = (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
    await world.api('POST', `/v2/migrations/${id}/resume`, { confirmPrune: prune?.confirmPrune })
    expect((await world.finished(id)).status).toBe('completed')
    const { items } = await listed(world, id)
    const states = items.map(({ component, state }) => `${component} ${state}`).sort()
    const components = ['brands', 'categories', 'customer-groups', 'products', 'redirects']
    expect(states).toEqual(components.flatMap((component) => [`${component} deleted`, `${component} kept`]))
    const kept = items.filter(({ state }) => state === 'kept')
    const warned = (await world.issues(id)).filter(({ code }) => code === 'not_pruned')
    expect(warned.map(({ destinationId }) => destinationId).sort()).toEqual(
      kept.map(({ destinationId }) => destinationId).sort(),
    )
    for (const { message } of warned) expect(message).toContain('the source has a matching item now')
  },
)

longTest('G4: a customer with orders is listed as kept, and the others as deleted', async () => {
  const { world, buyer, visitor } = await aStoreWithShoppers(0)
  const run = await world.complete({ ...generous, pruneLive: ['customers'] })
  const states = (await listed(world, run.requestId)).items.map(({ destinationId, state }) => [destinationId, state])
  expect(states.sort()).toEqual([
    [String(buyer?.id), 'kept'],
    [String(visitor?.id), 'deleted'],
  ])
})

longTest(
  'D4: what the platform shows only to the API account that created it is kept, with a warning, and verify lists it as kept',
  async () => {
    const world = await aWorld({ entities: ['brands', 'scripts'] })
    const addTo = async (side: 'source' | 'destination', name: string) => {
      const [brand] = await rows(world, side, 'brands')
      const metafield = (permission_set: string) =>
        callStore<Row>(world, side, 'POST', `/v3/catalog/brands/${brand?.id}/metafields`, {
          ...{ namespace: 'shop', key: `${name} ${permission_set}`, value: '1', permission_set },
        })
      const script = { name, html: '<script>1</script>', kind: 'script_tag', load_method: 'default' }
      await callStore(world, side, 'POST', '/v3/content/scripts', {
        ...{ ...script, visibility: 'storefront', location: 'footer' },
      })
      return { open: await metafield('write'), hidden: await metafield('app_only') }
    }
    await addTo('source', 'ours')
    await world.complete()
    const { open, hidden } = await addTo('destination', 'theirs')
    const run = await world.complete(generous)
    expect(run.status).toBe('completed')
    const deleted = (await listed(world, run.requestId)).items.map(({ destinationId }) => destinationId)
    expect(deleted).toEqual([String(open.id)])
    const warned = (await world.issues(run.requestId)).filter(({ code }) => code === 'not_pruned')
    expect(warned.map(({ component }) => component)).toEqual(['brand-metafields'])
    const { detail, differences: found } = await world.verify(run.requestId)
    expect(detail).toMatchObject({ failuresOpen: 0 })
    const extras = found.filter(({ kind }) => kind === 'extra')
    expect(extras.map(({ component, kept }) => [component, kept]).sort()).toEqual([
      ['brand-metafields', true],
      ['scripts', true],
    ])
    expect(extras.map(({ destinationId }) => destinationId)).toContain(String(hidden.id))
  },
)

longTest(
  'D4: a category is deleted in the same run that moves those below it elsewhere, as in the source',
  async () => {
    const world = await aWorld({ catalogueOnly: true })
    await world.complete()
    const categories = await rows(world, 'source', 'categories')
    const parent = categories.find(
      (one) => one.parent_id !== 0 && categories.some(({ parent_id }) => parent_id === one.id),
    )
    const below = categories.filter(({ parent_id }) => parent_id === parent?.id)
    const path = '/v3/catalog/trees/categories'
    const moved = below.map(({ id }) => ({ category_id: id, parent_id: 0 }))
    await callStore(world, 'source', 'PUT', path, moved)
    await callStore(world, 'source', 'DELETE', `${path}?category_id:in=${parent?.id}`)
    const run = await world.complete(generous)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await differences(world)).toEqual([])
    const gone = (await listed(world, run.requestId)).items.filter(({ component }) => component === 'categories')
    expect(gone.map(({ item, state }) => [item.name, state])).toEqual([[parent?.name, 'deleted']])
  },
)

/** All of its warnings, those about the two stores included. */
const warningsOf = async (world: World, id: string) =>
  [...(await world.issues(id)), ...(await world.findings(id))].filter(({ severity }) => severity === 'warning').length

test('D4: each item or part that the destination refuses to delete has a warning of its own', async () => {
  const world = await aWorld({ catalogueOnly: true, entities: ['categories', 'brands', 'products'] })
  await world.complete()
  const theirs = (path: string, body: object) =>
    callStore<Row>(world, 'destination', 'POST', `/v3/catalog/${path}`, body)
  const [product] = await rows(world, 'destination', 'products')
  const refused = [
    await theirs('brands', { name: 'Only There One' }),
    await theirs('brands', { name: 'Only There Two' }),
    await theirs(`products/${product?.id}/custom-fields`, { name: 'Only there', value: 'one' }),
    await theirs(`products/${product?.id}/custom-fields`, { name: 'Only there too', value: 'two' }),
  ]
  await world.fault('destination', {
    kind: 'error_before_applying',
    status: 422,
    method: 'DELETE',
    path: '^/v3/',
    times: null,
  })
  const run = await world.complete(generous)
  const kept = (await world.issues(run.requestId)).filter(({ code }) => code === 'not_pruned')
  expect(kept.map(({ component, destinationId }) => [component, destinationId]).sort()).toEqual(
    refused.map(({ id }, at) => [at < 2 ? 'brands' : 'product-custom-fields', String(id)]).sort(),
  )
  expect(run.counters.warnings).toBe(await warningsOf(world, run.requestId))
})

/** A run that asks before it deletes, and has found before that it may not delete metafields. */
async function aRunThatAsks(): Promise<{ world: World; id: string; goOn(): Promise<void> }> {
  const world = await aWorld({ entities: ['brands'] })
  await world.complete()
  const [brand] = await rows(world, 'destination', 'brands')
  const metafield = { permission_set: 'read', namespace: 'theirs', key: 'only', value: 'here' }
  const path = '/v3/catalog/brands'
  await callStore(world, 'destination', 'POST', `${path}/${brand?.id}/metafields`, metafield)
  for (const name of ['Only There One', 'Only There Two']) await callStore(world, 'destination', 'POST', path, { name })
  const id = await world.migrate({ ...generous, pruneLimitItems: 1 })
  await world.finished(id, { status: 'paused' })
  const goOn = async () => {
    const { prune } = (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
    await world.api('POST', `/v2/migrations/${id}/resume`, { confirmPrune: prune?.confirmPrune })
    expect((await world.finished(id)).status).toBe('completed')
  }
  return { world, id, goOn }
}

test('D4: a run that asked before it deleted counts each of its warnings once', async () => {
  const { world, id, goOn } = await aRunThatAsks()
  await goOn()
  expect((await world.issues(id)).map(({ code }) => code)).toEqual(['prune_withheld'])
  expect((await world.detail(id)).counters.warnings).toBe(await warningsOf(world, id))
})

test('G4: what a canceled run was about to delete is listed as kept', async () => {
  const { world, id } = await aRunThatAsks()
  expect((await listed(world, id)).items.map(({ state }) => state)).toEqual(['planned', 'planned'])
  await world.api('POST', `/v2/migrations/${id}/cancel`)
  await world.finished(id, { status: 'cancelled' })
  expect((await listed(world, id)).items.map(({ state }) => state)).toEqual(['kept', 'kept'])
})

test('F5: a warning that was dismissed and is met again counts once', async () => {
  const { world, id, goOn } = await aRunThatAsks()
  await world.api('POST', `/v2/migrations/${id}/issues/dismiss`, { code: 'prune_withheld' })
  await goOn()
  expect((await world.issues(id)).map(({ state }) => state)).toEqual(['dismissed'])
  expect((await world.detail(id)).counters.warnings).toBe(await warningsOf(world, id))
})

test('G4: what was deleted by a call whose answer was lost while the run was paused is listed as deleted', async () => {
  const world = await aWorld({ entities: ['brands'], requestTimeoutSeconds: 2 })
  await world.complete()
  const path = '/v3/catalog/brands'
  const { id: brandId } = await callStore<Row>(world, 'destination', 'POST', path, { name: 'Only There' })
  const deleting = { kind: 'hold_after_applying', method: 'DELETE', path: `^${path}`, times: 1 } as const
  const fault = await world.fault('destination', deleting)
  const id = await world.migrate(generous)
  await until('the brand is being deleted', async () =>
    (await world.faults('destination')).some((one) => one.id === fault && one.hits > 0),
  )
  await world.api('POST', `/v2/migrations/${id}/pause`)
  await world.finished(id, { status: 'paused' })
  await world.release('destination')
  await world.api('POST', `/v2/migrations/${id}/resume`)
  const run = await world.finished(id)
  expect(run.phases.map(({ key, pruned }) => [key, pruned])).toEqual([['brands', 1]])
  const { items } = await listed(world, id)
  expect(items.map(({ destinationId, state }) => [destinationId, state])).toEqual([[String(brandId), 'deleted']])
})

test('D4: `replace` deletes the copy of an item whose name the source has given to another one, which is then renamed', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['brands', 'pages', 'coupons'] })
  const ours = <Data = Row>(method: string, path: string, body?: unknown) =>
    callStore<Data>(world, 'source', method, path, body)
  const coupon = { type: 'per_total_discount', amount: '5', applies_to: { entity: 'categories', ids: [0] } }
  const kinds = [
    { path: '/v3/content/pages', body: (name: string) => ({ name, type: 'page', body: name, url: `/${name}/` }) },
    { path: '/v3/catalog/brands', body: (name: string) => ({ name }) },
    { path: '/v2/coupons', body: (name: string) => ({ ...coupon, name, code: name }) },
  ]
  const made = []
  for (const { path, body } of kinds)
    made.push([await ours('POST', path, body('first')), await ours('POST', path, body('second'))] as const)
  await world.complete()
  const names = async () => {
    const { brands = [], pages = [], coupons = [] } = await world.state('destination')
    return [brands, pages, coupons].map((some) => some.map(({ id, name }) => [id, name]))
  }
  const before = await names()
  for (const [at, { path, body }] of kinds.entries()) {
    await ours('DELETE', `${path}/${made[at]?.[1].id}`)
    await ours('PUT', `${path}/${made[at]?.[0].id}`, body('second'))
  }
  const { requestId } = await world.complete({ conflictStrategy: 'update' })
  const remedies = (await world.issues(requestId)).map(({ remedy }) => remedy)
  expect(remedies).toEqual(kinds.map(() => expect.stringContaining('`replace`, which deletes the copy')))
  const run = await world.complete(generous)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await names()).toEqual(before.map(([first]) => [[first?.[0], 'second']]))
  expect((await world.verify(run.requestId)).differences.map(({ component, fields }) => [component, fields])).toEqual(
    [],
  )
})
