import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import { migrationRequest } from '../../src/contract/migration-request.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { findStore } from '../../src/db/accounts/stores.ts'
import { anOrganisation, aService, type Service } from './a-service.ts'
import { bringTo } from './migration-rows.ts'

const storeToken = 'sandbox-token'
let sandbox: Sandbox
let service: Service
let token: string
let organisationId: string
beforeAll(async () => {
  sandbox = await startSandbox({
    plan: 'unlimited',
    stores: [
      { name: 'Source', hash: 'source1', seed: 'tiny-two-storefronts', token: storeToken },
      { name: 'Destination', hash: 'dest1', seed: 'empty', token: storeToken },
    ],
  })
  service = await aService({ bigcommerceApiUrl: sandbox.url })
  const organisation = await anOrganisation(service, { stores: ['source1', 'dest1', 'closed1'], storeToken })
  token = await organisation.token()
  organisationId = organisation.id
})
afterAll(async () => {
  await service.close()
  await sandbox.close()
})

const pair = { source: 'source1', destination: 'dest1' }

function post(path: string, body: object, key?: string) {
  const headers = { authorization: `Bearer ${token}`, ...(key && { 'idempotency-key': key }) }
  return service.inject({ method: 'POST', url: path, payload: body, headers })
}

const requestOf = async (id: string) =>
  migrationRequest.parse((await service.get(`/v2/migrations/${id}/request`, token)).json())
const tableOf = (table: string) => sandbox.store('Source').table(table).find({})
const outletId = () => String(tableOf('channels').find(({ name }) => name === 'Outlet')?.id)

function aBrandedProduct() {
  const product = tableOf('products').find(({ brand_id }) => brand_id !== 0)
  if (!product) throw new Error('The seed has products with brands.')
  return product
}

describe('a selection', () => {
  test('is shown with what it needs as soon as the migration is created', async () => {
    const product = aBrandedProduct()
    const answer = await post('/v2/migrations', { ...pair, selection: { products: { ids: [String(product.id)] } } })
    expect(answer.statusCode, answer.body).toBe(202)
    expect(answer.json()).toMatchObject({ selective: true, sourceStorefront: null })
    const { scope, settings } = await requestOf(answer.json().requestId)
    expect(settings.selection).toEqual({ products: { ids: [String(product.id)] } })
    expect(scope?.find(({ component }) => component === 'brands')).toEqual({
      component: 'brands',
      picked: 0,
      needed: 1,
      created: true,
      ids: [String(product.brand_id)],
    })
  })

  test('has only the phases that its picks need', async () => {
    const [brand] = tableOf('brands')
    const answer = await post('/v2/migrations', { ...pair, selection: { brands: { ids: [String(brand?.id)] } } })
    expect(answer.json().phases.map(({ key }: { key: string }) => key)).toEqual(['brands'])
  })

  test('copies whole entities if it is empty', async () => {
    const { requestId, selective } = (await post('/v2/migrations', { ...pair, selection: {} })).json()
    expect(selective).toBe(false)
    expect((await requestOf(requestId)).scope).toBeNull()
  })

  test('covers an id once even if it is named twice', async () => {
    const id = String(aBrandedProduct().id)
    const { requestId } = (await post('/v2/migrations', { ...pair, selection: { products: { ids: [id, id] } } })).json()
    const { scope } = await requestOf(requestId)
    expect(scope?.find(({ component }) => component === 'products')?.picked).toBe(1)
  })

  test('is refused if the store does not respond, because its scope is unknown', async () => {
    const before = (await service.get('/v2/migrations', token)).json().items.length
    const asked = { source: 'closed1', destination: 'dest1', selection: { products: { ids: ['1'] } } }
    expect((await post('/v2/migrations', asked)).json().error).toBe('platform_error')
    expect((await service.get('/v2/migrations', token)).json().items).toHaveLength(before)
  })

  test('is answered again by its idempotency key without reading the store', async () => {
    const body = { ...pair, selection: { products: { ids: [String(aBrandedProduct().id)] } } }
    const first = (await post('/v2/migrations', body, 'once')).json().requestId
    const { openStore } = service.deps
    service.deps.openStore = () => {
      throw new Error('No store is to be asked again.')
    }
    const again = await post('/v2/migrations', body, 'once')
    service.deps.openStore = openStore
    expect([again.statusCode, again.json().requestId]).toEqual([202, first])
  })

  test('S23: is the same request in any order of its entities', async () => {
    const [brand, category] = [tableOf('brands')[0], tableOf('categories')[0]]
    const [brands, categories] = [{ ids: [String(brand?.id)] }, { ids: [String(category?.id)] }]
    const first = await post('/v2/migrations', { ...pair, selection: { brands, categories } }, 'in-any-order')
    const again = await post('/v2/migrations', { ...pair, selection: { categories, brands } }, 'in-any-order')
    expect([again.statusCode, again.json().requestId]).toEqual([202, first.json().requestId])
  })

  test.each([limits.selectedIds, limits.selectedIds + 1])('of %i ids', async (count) => {
    const ids = Array.from({ length: count }, (_, at) => String(at + 1))
    const answer = await post('/v2/forecast', { ...pair, selection: { brands: { ids } } })
    expect(answer.statusCode).toBe(count > limits.selectedIds ? 422 : 200)
    if (count > limits.selectedIds) expect(answer.json().errors).toHaveProperty('selection')
  })

  test('S25: items whose pages are picked count among its ids', async () => {
    const entityIds = Array.from({ length: limits.selectedIds }, (_, at) => String(at + 1))
    const pages = { pageTemplates: [{ file: 'pages/brand', entityIds }] }
    const ask = async (selection: object) =>
      Object.keys((await post('/v2/forecast', { ...pair, selection })).json().errors)
    // The source has no such pages.
    expect((await ask(pages))[0]).toBe('selection.pageTemplates.0.entityIds.0')
    expect(await ask({ ...pages, brands: { ids: ['1'] } })).toEqual(['selection'])
  })

  test('is what the forecast prices; memory is that of the whole store', async () => {
    const selection = { products: { ids: [String(aBrandedProduct().id)] } }
    const picked = (await post('/v2/forecast', { ...pair, selection })).json()
    const whole = (await post('/v2/forecast', pair)).json()
    expect(picked.counts).toMatchObject({ products: 1, brands: 1 })
    // Nobody counts what hangs on some products; what was picked is known.
    expect(picked.estimated).toContain('product-variants')
    for (const exact of ['products', 'brands']) expect(picked.estimated).not.toContain(exact)
    expect(picked.etaSeconds).toBeLessThanOrEqual(whole.etaSeconds)
    expect([picked.products, picked.memMB, picked.tier]).toEqual([whole.products, whole.memMB, whole.tier])
  })

  test('is the scope of the verify of its migration', async () => {
    const { requestId } = (
      await post('/v2/migrations', { ...pair, selection: { products: { ids: [String(aBrandedProduct().id)] } } })
    ).json()
    await bringTo(service, organisationId, requestId, 'completed')
    const verify = (await post(`/v2/migrations/${requestId}/verify`, {})).json()
    expect(verify.selective).toBe(true)
    expect((await requestOf(verify.requestId)).scope).toEqual((await requestOf(requestId)).scope)
  })
})

describe('a pair of storefronts', () => {
  test('is shown by the migration', async () => {
    const answer = await post('/v2/migrations', { ...pair, sourceStorefront: outletId(), destStorefront: '1' })
    expect(answer.statusCode, answer.body).toBe(202)
    expect(answer.json()).toMatchObject({ sourceStorefront: outletId(), destStorefront: '1', selective: false })
  })

  test('is refused by path when a store has no such storefront', async () => {
    const answer = await post('/v2/migrations', { ...pair, sourceStorefront: '987654', destStorefront: '987655' })
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors).sort()).toEqual(['destStorefront', 'sourceStorefront'])
    expect(answer.json().errors.sourceStorefront[0]).toContain('/v2/stores/source1/storefronts')
  })

  test('is refused by path when it names a channel that is not a storefront', async () => {
    const pos = sandbox
      .store('Source')
      .table('channels')
      .insert({ name: 'Till', type: 'pos', platform: 'square', status: 'active' })
    const answer = await post('/v2/migrations', { ...pair, sourceStorefront: String(pos.id), destStorefront: '1' })
    expect(Object.keys(answer.json().errors)).toEqual(['sourceStorefront'])
  })

  test('may name a new storefront; for unknown ids a store is read every two seconds at most', async () => {
    const { storefronts, database } = service.deps
    const store = await findStore(database, organisationId, 'dest1')
    if (!store) throw new Error('The organisation has this store.')
    const channels = sandbox.store('Destination').table('channels')
    const open = (name: string) =>
      String(channels.insert({ name, type: 'storefront', platform: 'bigcommerce', status: 'active' }).id)
    service.clock.jumpSeconds(60)
    expect(await storefronts.list(store)).not.toHaveLength(0)
    const opened = open('Opened')
    expect(await storefronts.has(store, opened)).toBe(true)
    const next = open('Next')
    expect(await storefronts.has(store, next)).toBe(false)
    service.clock.jumpSeconds(2)
    expect(await storefronts.has(store, next)).toBe(true)
  })

  test('is what the forecast prices', async () => {
    const storefronts = { sourceStorefront: outletId(), destStorefront: '1' }
    const forecast = (await post('/v2/forecast', { ...pair, ...storefronts })).json()
    const sold = tableOf('product_channel_assignments').filter(({ channel_id }) => String(channel_id) === outletId())
    expect(forecast.counts.products).toBe(sold.length)
    expect(forecast.products).toBe(tableOf('products').length)
  })
})

describe('page templates', () => {
  const asked = (pageTemplates: object[], more: object = {}) => ({ ...pair, selection: { pageTemplates }, ...more })
  const scopeOf = async (pageTemplates: object[], more: object = {}) => {
    const answer = await post('/v2/migrations', asked(pageTemplates, more))
    expect(answer.statusCode, answer.body).toBe(202)
    return (await requestOf(answer.json().requestId)).scope
  }
  const idsOf = (scope: Awaited<ReturnType<typeof scopeOf>>, key: string) =>
    scope?.find(({ component }) => component === key)?.ids

  test('become the existing pages, with their widgets', async () => {
    const answer = await post(
      '/v2/migrations',
      asked([{ file: 'pages/home', globals: true }], { sourceStorefront: '1', destStorefront: '1' }),
    )
    expect(answer.json()).toMatchObject({
      selective: true,
      pageTemplates: { picked: ['pages/home'], globalsRequested: true, globalContextsPublished: 0 },
    })
    expect(answer.json().phases.map(({ key }: { key: string }) => key)).toEqual(['widget-templates', 'page-widgets'])
    const { scope, settings } = await requestOf(answer.json().requestId)
    expect(settings.selection.pageTemplates).toEqual([{ file: 'pages/home', globals: true }])
    expect([idsOf(scope, 'page-widgets'), idsOf(scope, 'global-widgets')]).toEqual([['1|pages/home|'], ['1||']])
    expect(scope?.find(({ component }) => component === 'widget-templates')).toMatchObject({ picked: 0, created: true })
    expect(scope?.find(({ component }) => component === 'products')).toMatchObject({ picked: 0, created: false })
  })

  test('apply to every storefront, or to the chosen one', async () => {
    const everywhere = await scopeOf([{ file: 'pages/home' }])
    expect(idsOf(everywhere, 'page-widgets')?.sort()).toEqual([`${outletId()}|pages/home|`, '1|pages/home|'].sort())
    const there = await scopeOf([{ file: 'pages/home' }], { sourceStorefront: outletId(), destStorefront: '1' })
    expect(idsOf(there, 'page-widgets')).toEqual([`${outletId()}|pages/home|`])
  })

  test('include pages of single items: all with widgets, or those named', async () => {
    const own = tableOf('page_contexts').filter(({ template_file }) => template_file === 'pages/brand')
    const ids = own.map(({ entity_id }) => String(entity_id))
    expect(idsOf(await scopeOf([{ file: 'pages/brand' }]), 'page-widgets')).toEqual(
      ids.map((id) => `1|pages/brand|${id}`),
    )
    const named = await scopeOf([{ file: 'pages/brand', entityIds: ids.slice(0, 1) }])
    expect(idsOf(named, 'page-widgets')).toEqual([`1|pages/brand|${ids[0]}`])
  })

  test.each([
    ['a file that the theme does not have', { file: 'pages/none' }, 'selection.pageTemplates.0.file'],
    ['a custom file that is gone', { file: 'pages/custom/brand/none' }, 'selection.pageTemplates.0.file'],
    ['an item without a page', { file: 'pages/brand', entityIds: ['99999'] }, 'selection.pageTemplates.0.entityIds.0'],
  ])('%s is refused by its path', async (_what, one, path) => {
    const answer = await post('/v2/migrations', asked([one]))
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors)).toEqual([path])
  })

  test('are priced by the number of their pages', async () => {
    const { counts } = (await post('/v2/forecast', asked([{ file: 'pages/home' }]))).json()
    expect(counts).toMatchObject({ 'page-widgets': 2 })
    const whole = (await post('/v2/forecast', { ...pair, entities: ['page-widgets'] })).json()
    expect(whole.counts['page-widgets']).toBe(tableOf('page_contexts').length)
  })
})
