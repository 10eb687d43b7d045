import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld } from '../harness/world.ts'
import { callStore } from './call-store.ts'

longTest(
  'B6: of two metafields of one product with the same key, from different apps, only the second fails, and the issue names them',
  async () => {
    const world = await aWorld({ catalogueOnly: true, entities: ['products'] })
    const metafield = (await world.state('source')).product_metafields?.[0]
    if (!metafield) throw new Error('The seed has no metafield.')
    const { id } = await world.change('source', { op: 'double', table: 'product_metafields', id: metafield.id })
    const fields = { owner_client_id: 'anotherapp', permission_set: 'write', value: 'theirs' }
    await world.change('source', { op: 'set', table: 'product_metafields', id: Number(id), fields })
    await world.change('source', {
      op: 'set',
      table: 'product_metafields',
      id: metafield.id,
      fields: { permission_set: 'write' },
    })
    // These two are different metafields.
    const withSlashes = [
      { namespace: 'a/b', key: 'c' },
      { namespace: 'a', key: 'b/c' },
    ]
    const rest = { value: 'of its own', permission_set: 'write', resource_id: metafield.resource_id }
    const made = withSlashes.map((one) => ({ ...one, ...rest }))
    await callStore(world, 'source', 'POST', '/v3/catalog/products/metafields', made)
    const run = await world.complete()
    expect(run.status).toBe('partial_completed')
    const failures = (await world.issues(run.requestId)).filter(({ severity }) => severity === 'failure')
    expect(failures.map(({ component, item }) => [component, item.sourceId])).toEqual([
      ['product-metafields', String(id)],
    ])
    const named = `${metafield.namespace}/${metafield.key} of product ${metafield.resource_id}`
    expect(failures[0]).toMatchObject({ code: 'natural_key_collision', message: expect.stringContaining(`"${named}"`) })
    const copies = (await world.state('destination')).product_metafields ?? []
    expect(copies).toEqual(expect.arrayContaining(withSlashes.map((one) => expect.objectContaining(one))))
  },
)

test('B6: of two coupons whose codes differ only in case, one is copied and one fails, even if the first answer is lost', async () => {
  const world = await aWorld({ entities: ['categories', 'brands', 'products', 'coupons'] })
  const coupon = (await world.state('source')).coupons?.[0]
  const code = String(coupon?.code)
  const { id } = await world.change('source', { op: 'double', table: 'coupons', id: Number(coupon?.id) })
  const other = { code: code.toLowerCase(), code_key: code.toLowerCase(), name: 'The same in small letters' }
  expect(other.code).not.toBe(code)
  await world.change('source', { op: 'set', table: 'coupons', id: Number(id), fields: other })
  const lost = { kind: 'error_after_applying', method: 'POST', path: '/v2/coupons$', times: 1 } as const
  await world.fault('destination', { ...lost, body: `"code":"(${code}|${other.code})"` })
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  const failures = (await world.issues(run.requestId)).filter(({ severity }) => severity === 'failure')
  expect(failures.map((issue) => issue.code)).toEqual(['natural_key_collision'])
  const copies = (await world.state('destination')).coupons?.filter(
    (row) => String(row.code).toLowerCase() === other.code,
  )
  expect(copies).toHaveLength(1)
  // It is the copy of the item that was sent, and the other one does not adopt it.
  const ids = [String(coupon?.id), String(id)]
  const { rows } = await sql`
    select origin from mappings_of_pairs
    where run_id = ${run.requestId} and component = 'coupons' and source_id = any(${ids})`.execute(world.database)
  expect(rows).toEqual([{ origin: 'created' }])
})

longTest(
  'B6: tax classes are matched by name regardless of case, and several of the source may match one of the destination',
  async () => {
    const world = await aWorld({ entities: ['tax-classes', 'products'] })
    await world.complete({ entities: ['tax-classes'] })
    const state = await world.state('source')
    const one = state.tax_classes?.find(({ name }) => name === 'Reduced rate')
    const { id } = await world.change('source', { op: 'double', table: 'tax_classes', id: one?.id ?? 0 })
    const fields = { name: 'REDUCED rate ' }
    await world.change('source', { op: 'set', table: 'tax_classes', id: Number(id), fields })
    const classes = [one?.id, Number(id)]
    const products = (state.products ?? []).slice(0, 2)
    for (const [at, product] of products.entries())
      await world.change('source', {
        op: 'set',
        table: 'products',
        id: product.id,
        fields: { tax_class_id: classes[at] },
      })
    // A different spelling is no reason to write a class that two source classes share.
    await world.complete()
    const there = await world.state('destination')
    const counterpart = there.tax_classes?.find((row) => row.name === one?.name)?.id
    expect(counterpart).toBeDefined()
    const copies = there.products?.filter((row) => products.some((product) => product.name === row.name))
    expect(copies?.map((row) => row.tax_class_id)).toEqual([counterpart, counterpart])
  },
)

test('B6: customers who have exchanged their email addresses are left to a person, because the platform may mail shoppers about a change', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['customers'] })
  const shopper = (email: string) => ({ email, first_name: 'Ada', last_name: 'Example' })
  const sent = [shopper('one@example.com'), shopper('two@example.com')]
  const [one, two] = await callStore<{ id: number }[]>(world, 'source', 'POST', '/v3/customers', sent)
  await world.complete()
  const steps = [
    { id: one?.id, email: 'for-a-moment@example.com' },
    { id: two?.id, email: 'one@example.com' },
    { id: one?.id, email: 'two@example.com' },
  ]
  for (const step of steps) await callStore(world, 'source', 'PUT', '/v3/customers', [step])
  const before = (await world.state('destination')).customers
  const run = await world.complete({ conflictStrategy: 'update' })
  const failed = {
    code: 'natural_key_collision',
    remedy: expect.stringMatching(
      /email address by now.*give one of the copies another one at the destination by hand/,
    ),
  }
  expect(await world.issues(run.requestId)).toMatchObject([failed, failed])
  expect((await world.state('destination')).customers).toEqual(before)
})

test('a subscriber who takes the address of one that the source has deleted is refused with a remedy that works', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['subscribers'] })
  const path = '/v3/customers/subscribers'
  const subscribe = (email: string) => callStore<{ id: number }>(world, 'source', 'POST', path, { email })
  const [gone, stays] = [await subscribe('gone@example.com'), await subscribe('stays@example.com')]
  await world.complete()
  await callStore(world, 'source', 'DELETE', `${path}/${gone.id}`)
  await callStore(world, 'source', 'PUT', `${path}/${stays.id}`, { email: 'gone@example.com' })
  const replace = { conflictStrategy: 'replace', pruneLimitPercent: 100 }
  const refused = await world.complete(replace)
  expect(await world.issues(refused.requestId)).toMatchObject([
    { code: 'natural_key_collision', remedy: expect.stringContaining('`replace` and `pruneLive`') },
  ])
  expect(await world.complete({ ...replace, pruneLive: ['subscribers'] })).toMatchObject({ failuresOpen: 0 })
  const emails = (await world.state('destination')).subscribers?.map(({ email }) => email)
  expect(emails).toEqual(['gone@example.com'])
})

test.each([
  'deleted',
  'never made',
  'shared by skip',
])('B6: of tax classes that exchange their names, one whose copy was %s gets a copy of its own, and no product another tax', async (lost) => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['tax-classes', 'products'] })
  const call = <T>(method: string, path: string, body?: unknown) => callStore<T>(world, 'source', method, path, body)
  const names = ['Food', 'Books', 'Wine']
  const add = (some: string[]) =>
    call<{ id: number }[]>(
      'POST',
      '/v3/tax/classes',
      some.map((name) => ({ name })),
    ) // one call
  const classes = lost === 'deleted' ? await add(names) : await add(names.slice(0, 2))
  await world.complete({ entities: ['tax-classes'] })
  if (lost === 'deleted') {
    const wine = (await world.state('destination')).tax_classes?.find(({ name }) => name === 'Wine')
    await world.change('destination', { op: 'remove', table: 'tax_classes', id: wine?.id ?? 0 })
  } else classes.push(...(await add(['Wine'])))
  for (const [at, { id }] of classes.entries()) {
    await call('POST', '/v3/catalog/products', {
      name: `Item ${at}`,
      type: 'physical',
      weight: 1,
      price: 1,
      tax_class_id: id,
    })
    const fields = { name: names[(at + 1) % 3], name_key: names[(at + 1) % 3]?.toLowerCase() }
    await world.change('source', { op: 'set', table: 'tax_classes', id, fields })
  }
  const taxes = async (side: 'source' | 'destination') => {
    const { tax_classes = [], products = [] } = await world.state(side)
    const nameOf = (id: unknown) => tax_classes.find((one) => one.id === id)?.name
    return products.map(({ name, tax_class_id }) => `${name}: ${nameOf(tax_class_id)}`).sort()
  }
  if (lost === 'shared by skip') await world.complete({ conflictStrategy: 'skip' })
  await world.complete({ conflictStrategy: 'update' })
  await world.complete({ conflictStrategy: 'update' })
  expect(await taxes('destination')).toEqual(await taxes('source'))
  await world.resetRequests('destination')
  expect(await world.complete({ conflictStrategy: 'update' })).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})
