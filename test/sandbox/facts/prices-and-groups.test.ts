/** Price lists with their records and assignments, and groups of customers. */
import { describe, expect, it } from 'vitest'
import { aShop, PRICE_LISTS, type Shop, times, variant } from './fact-shop.ts'

const ASSIGNMENTS = `${PRICE_LISTS}/assignments`
const GROUPS = '/v2/customer_groups'

async function aList({ made }: Shop, name = 'Wholesale'): Promise<number> {
  return (await made('POST', PRICE_LISTS, { name })).id
}

const recordsOf = (list: number) => `${PRICE_LISTS}/${list}/records`

async function aGroup({ call }: Shop, name: string, fields: object = {}): Promise<number> {
  return (await call('POST', GROUPS, { name, ...fields })).body.id
}

describe('price lists', () => {
  it('do not share a name: a second one is 409', async () => {
    const shop = await aShop()
    await aList(shop)
    expect((await shop.call('POST', PRICE_LISTS, { name: 'Wholesale' })).status).toBe(409)
  })

  it('are deleted one by one, or by a list of ids', async () => {
    const shop = await aShop()
    const ids = [await aList(shop, 'A'), await aList(shop, 'B'), await aList(shop, 'C')]
    expect((await shop.call('DELETE', `${PRICE_LISTS}/${ids[0]}`)).status).toBe(204)
    expect((await shop.call('DELETE', `${PRICE_LISTS}?id:in=${ids.slice(1)}`)).status).toBe(204)
    expect(await shop.rows(PRICE_LISTS)).toEqual([])
  })

  it('are found by the day of their last change', async () => {
    const shop = await aShop()
    await aList(shop)
    expect(await shop.rows(`${PRICE_LISTS}?date_modified:min=2001-01-01`)).toHaveLength(1)
    expect(await shop.rows(`${PRICE_LISTS}?date_modified:max=2001-01-01`)).toHaveLength(0)
  })
})

describe('price records', () => {
  it('name a variant by its id or by its SKU, with a currency, and are put again as often as wanted', async () => {
    const shop = await aShop()
    const list = await aList(shop)
    const product = await shop.aProduct({ sku: 'LS-1' })
    await shop.made('PUT', recordsOf(list), [{ variant_id: product.base_variant_id, currency: 'usd', price: 5 }])
    await shop.made('PUT', recordsOf(list), [{ sku: 'LS-1', currency: 'usd', price: 6 }])
    expect(await shop.rows(recordsOf(list))).toMatchObject([{ variant_id: product.base_variant_id, price: 6 }])
  })

  it('are made by POST only where there is none', async () => {
    const shop = await aShop()
    const list = await aList(shop)
    await shop.aProduct({ sku: 'LS-1' })
    const record = { sku: 'LS-1', currency: 'usd', price: 5 }
    const statuses = [
      await shop.call('POST', recordsOf(list), [record]),
      await shop.call('POST', recordsOf(list), [record]),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([200, 422])
  })

  it('show bulk prices and SKUs when asked only', async () => {
    const shop = await aShop()
    const list = await aList(shop)
    await shop.aProduct({ sku: 'LS-1' })
    const tiers = [{ quantity_min: 5, quantity_max: 0, type: 'fixed', amount: 4 }]
    await shop.made('PUT', recordsOf(list), [{ sku: 'LS-1', currency: 'usd', price: 5, bulk_pricing_tiers: tiers }])
    const [plain] = await shop.rows(recordsOf(list))
    expect([plain.sku, plain.bulk_pricing_tiers]).toEqual([undefined, undefined])
    const [whole] = await shop.rows(`${recordsOf(list)}?include=bulk_pricing_tiers,sku`)
    expect([whole.sku, whole.bulk_pricing_tiers.length]).toEqual(['LS-1', 1])
  })

  it('are deleted by variant, by SKU and by currency', async () => {
    const shop = await aShop()
    const list = await aList(shop)
    const variants = ['S', 'M', 'L'].map((label) => variant(`LS-${label}`, { Size: label }))
    const product = await shop.aProduct({ variants })
    const skus = ['LS-S', 'LS-M', 'LS-L']
    const records = skus.map((sku) => ({ sku, currency: 'usd', price: 5 }))
    await shop.made('PUT', recordsOf(list), records)
    await shop.call('DELETE', `${recordsOf(list)}?variant_id:in=${product.variants[0].id}`)
    expect(await shop.rows(recordsOf(list))).toHaveLength(2)
    await shop.call('DELETE', `${recordsOf(list)}?sku:in=LS-M`)
    expect(await shop.rows(recordsOf(list))).toHaveLength(1)
    await shop.call('DELETE', `${recordsOf(list)}?currency=usd`)
    expect(await shop.rows(recordsOf(list))).toHaveLength(0)
  })
})

describe('assignments of price lists', () => {
  it('go with a group or a channel, 25 a call', async () => {
    const shop = await aShop()
    const list = await aList(shop)
    const groups: number[] = []
    for (const n of times(26, (number) => number)) groups.push(await aGroup(shop, `Group ${n}`))
    const rows = groups.map((customer_group_id) => ({ price_list_id: list, customer_group_id }))
    expect((await shop.call('POST', ASSIGNMENTS, rows)).status).toBe(413)
    expect((await shop.call('POST', ASSIGNMENTS, rows.slice(0, 25))).status).toBe(200)
    expect((await shop.get(`${ASSIGNMENTS}?limit=1`)).body.meta.pagination.total).toBe(25)
  })

  it('are not deleted without a filter', async () => {
    const shop = await aShop()
    const list = await aList(shop)
    await shop.made('POST', ASSIGNMENTS, [{ price_list_id: list, channel_id: 1 }])
    expect((await shop.call('DELETE', ASSIGNMENTS)).status).toBeGreaterThanOrEqual(400)
    expect((await shop.call('DELETE', `${ASSIGNMENTS}?channel_id:in=1`)).status).toBe(204)
    expect(await shop.rows(ASSIGNMENTS)).toEqual([])
  })
})

describe('groups of customers', () => {
  it('come as a plain array, and as 204 when there is none', async () => {
    const shop = await aShop()
    const before = ((await shop.get(GROUPS)).body ?? []).length
    await aGroup(shop, 'Trade')
    expect((await shop.get(GROUPS)).body).toHaveLength(before + 1)
    expect((await shop.get(`${GROUPS}?name=Nobody`)).status).toBe(204)
  })

  it('lose the discounts that an update of the discounts does not repeat', async () => {
    const shop = await aShop()
    const category_id = shop.aCategory('Shirts')
    const off = (rule: object) => ({ ...rule, method: 'percent', amount: '5.0000' })
    const discount_rules = [off({ type: 'all' }), off({ type: 'category', category_id })]
    const id = await aGroup(shop, 'Trade', { discount_rules })
    const { body } = await shop.call('PUT', `${GROUPS}/${id}`, { discount_rules: discount_rules.slice(1) })
    expect(body.discount_rules).toEqual(discount_rules.slice(1))
  })

  it('have one for guests and one for new customers among them', async () => {
    const shop = await aShop()
    const first = await aGroup(shop, 'First', { is_group_for_guests: true, is_default: true })
    await aGroup(shop, 'Second', { is_group_for_guests: true, is_default: true })
    const { body } = await shop.call('GET', `${GROUPS}/${first}`)
    expect([body.is_group_for_guests, body.is_default]).toEqual([false, false])
  })

  it('are deleted one by one, and their members stay without a group', async () => {
    const shop = await aShop()
    const id = await aGroup(shop, 'Trade')
    const person = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Example', customer_group_id: id }
    await shop.made('POST', '/v3/customers', [person])
    expect((await shop.call('DELETE', `${GROUPS}/${id}`)).status).toBe(204)
    expect(await shop.rows('/v3/customers')).toMatchObject([{ customer_group_id: 0 }])
  })
})
