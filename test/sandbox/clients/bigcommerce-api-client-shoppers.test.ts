import { expect, it } from 'vitest'
import { aPlatform, type Platform, runClient } from './run-client.ts'

const ask = (platform: Platform, scenario: string, input?: unknown) =>
  runClient('bigcommerce-api-client-shoppers.ts', platform, scenario, { input })

const ada = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Example' }

async function withAda() {
  const platform = await aPlatform()
  const [customer] = await platform.made('POST', '/v3/customers', [ada])
  return { ...platform, customer }
}

it('creates and updates customers in batches of ten, and finds one by email address', async () => {
  const platform = await aPlatform()
  const { data } = await ask(platform, 'createAndUpdateCustomers', 25)
  expect(data).toMatchObject([{ email: 'person-25@example.com', company: 'Loom & Sons' }])
  const saved = platform.store.table('customers').find({})
  expect(saved.filter(({ company }) => company === 'Loom & Sons')).toHaveLength(25)
  expect(await platform.statuses()).toEqual(Array.from({ length: 8 }, () => 200))
})

it('gets 422 with the address that is in use', async () => {
  const { status, body } = await ask(await aPlatform(), 'duplicateCustomer')
  expect([status, body.title]).toEqual([422, 'Create customers failed.'])
  expect(body.errors['.customer_create']).toContain('person-1@example.com')
})

it('gives a customer an address, an attribute, a form field value and a consent, and reads them', async () => {
  const platform = await withAda()
  const result = await ask(platform, 'aroundCustomer', platform.customer.id)
  expect(result.addresses.data).toMatchObject([{ customer_id: platform.customer.id, city: 'Austin' }])
  expect(result.values.data).toMatchObject([{ attribute_value: 'gold' }])
  expect(result.fields.data).toMatchObject([{ name: 'Nickname', value: 'Countess' }])
  expect(result.consent).toMatchObject({ allow: ['essential'] })
})

it('sets the group of new customers', async () => {
  const { data } = await ask(await aPlatform(), 'customerSettings')
  expect(data.customer_group_settings.default_customer_group_id).toBe(4)
})

it('creates, renames, finds and deletes a customer group', async () => {
  const { found, gone } = await ask(await aPlatform(), 'groups')
  expect([found, gone]).toEqual([[expect.objectContaining({ name: 'Friends' })], null])
})

it('creates a price list, sets a price twice and assigns the list to a channel', async () => {
  const platform = await aPlatform()
  const { base_variant_id } = await platform.aProduct()
  const { records, assignments } = await ask(platform, 'prices', base_variant_id)
  expect(records.data).toMatchObject([{ variant_id: base_variant_id, price: 6 }])
  expect(assignments.data).toMatchObject([{ channel_id: 1 }])
})

it('creates a shipping zone with a method and deletes both', async () => {
  const platform = await aPlatform()
  const { methods, zones } = await ask(platform, 'shipping')
  expect(methods).toMatchObject([{ name: 'Flat', settings: { rate: 7 } }])
  expect(zones.map(({ name }: { name: string }) => name)).toContain('Italy')
  expect(
    platform.store
      .table('shipping_zones')
      .find({})
      .map(({ name }) => name),
  ).not.toContain('Italy')
  expect(platform.store.table('shipping_methods').count()).toBe(0)
})

it('creates a tax zone with a rate and a property, and sets the zone of the store', async () => {
  const { zone, rates, properties, settings, classes } = await ask(await aPlatform(), 'tax')
  expect(rates.data).toMatchObject([{ name: 'VAT', tax_zone_id: zone }])
  expect(properties.data).toMatchObject([{ code: 'ALCOHOL' }])
  expect(settings.data.store_tax_zone_id).toBe(zone)
  expect(classes.length).toBeGreaterThan(0)
})

it('creates, changes and counts coupons, and a second one with the same code is refused', async () => {
  const { again, coupon, count } = await ask(await aPlatform(), 'marketing')
  expect(again).toMatchObject({ status: 409, body: [{ status: 409 }] })
  expect(Number(coupon.amount)).toBe(7)
  expect(count).toEqual({ count: 1 })
})

it('creates a wishlist and adds a product', async () => {
  const platform = await withAda()
  const product = await platform.aProduct()
  const item = { product_id: product.id, variant_id: product.base_variant_id }
  const { data } = await ask(platform, 'wishlists', { customer_id: platform.customer.id, item })
  expect(data).toMatchObject({ name: 'Birthday', items: [item] })
})

it('creates subscribers and lists them, and a duplicate is refused', async () => {
  const { all, again } = await ask(await aPlatform(), 'subscribers', 3)
  expect(all.data).toHaveLength(3)
  expect(again).toMatchObject({ status: 409 })
})
