/** Scenarios of `bigcommerce-api-client` for shoppers, prices, marketing, shipping and tax; one per run. */
import { BigCommerceApiClient } from 'bigcommerce-api-client'
import { runScenario } from './run-scenario.ts'

const { STORE_HASH = '', ACCESS_TOKEN = '' } = process.env
const client = new BigCommerceApiClient({ storeHash: STORE_HASH, accessToken: ACCESS_TOKEN, retryDelay: 50 })
const { customersV3, customersV2, priceLists, shippingV2, taxRatesAndZones, marketing, wishlists, subscribers } = client

const person = (n: number) => ({ email: `person-${n}@example.com`, first_name: 'Ada', last_name: `Example ${n}` })

/** The error that the client throws, with the answer that it keeps as the cause. */
async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return { gave: await work }
  } catch (error) {
    const { cause } = error as Error & { cause?: { response?: { status?: number; data?: unknown } } }
    return { status: cause?.response?.status, body: cause?.response?.data }
  }
}

interface Saved {
  data?: { id?: number }
}

const idOf = ({ data }: Saved) => Number(data?.id)

await runScenario({
  createAndUpdateCustomers: async (count: number) => {
    const people = Array.from({ length: count }, (_none, at) => person(at + 1))
    await customersV3.createCustomers(people as never)
    const { data } = await customersV3.getAllCustomers({ include: 'addresses,attributes' } as never, 1, 1000)
    const named = (data ?? []).map(({ id }) => ({ id, company: 'Loom & Sons' }))
    await customersV3.updateCustomers(named as never)
    return customersV3.getAllCustomers({ 'email:in': person(count).email } as never)
  },
  duplicateCustomer: async () => {
    await customersV3.createCustomers([person(1)] as never)
    return refusalOf(customersV3.createCustomers([person(1)] as never))
  },
  aroundCustomer: async (customer_id: number) => {
    const address = { first_name: 'Ada', last_name: 'Example', address1: '1 Road', city: 'Austin', country_code: 'US' }
    const whole = { ...address, customer_id, state_or_province: 'Texas', postal_code: '78701' }
    await customersV3.customerAddresses.createCustomerAddress([whole] as never)
    const attribute = [{ name: 'Loyalty', type: 'string' }]
    const { data: made } = await customersV3.customerAttributes.createCustomerAttribute(attribute as never)
    const attribute_id = (made as unknown as { id: number }[])[0]?.id
    await customersV3.customerAttributeValues.upsertCustomerAttributeValue([
      { customer_id, attribute_id, value: 'gold' },
    ] as never)
    await customersV3.customerFormFieldValues.upsertCustomerFormFieldValue([
      { customer_id, name: 'Nickname', value: 'Countess' },
    ] as never)
    await customersV3.customerConsent.updateCustomerConsent(customer_id, { allow: ['essential'], deny: [] } as never)
    return {
      addresses: await customersV3.customerAddresses.getAllCustomerAddresses(),
      values: await customersV3.customerAttributeValues.getAllCustomerAttributeValues(),
      fields: await customersV3.customerFormFieldValues.getCustomerFormFieldValues(),
      consent: await customersV3.customerConsent.getCustomerConsent(customer_id),
    }
  },
  customerSettings: async () => {
    const groups = { customer_group_settings: { default_customer_group_id: 4 } }
    await customersV3.customerSettings.updateCustomerSettings(groups as never)
    return customersV3.customerSettings.getCustomerSettings()
  },
  groups: async () => {
    const { id } = await customersV2.customerGroups.createCustomerGroup({ name: 'Trade' } as never)
    await customersV2.customerGroups.updateCustomerGroup(Number(id), { name: 'Friends' } as never)
    const found = await customersV2.customerGroups.getAllCustomerGroups({ name: 'Friends' } as never)
    await customersV2.customerGroups.deleteCustomerGroup(Number(id))
    return { found, gone: await customersV2.customerGroups.getCustomerGroup(Number(id)) }
  },
  prices: async (variant_id: number) => {
    const list = idOf((await priceLists.createPriceList({ name: 'Wholesale' } as never)) as Saved)
    await priceLists.priceListRecords.upsertPriceListRecords(list, [{ variant_id, currency: 'usd', price: 5 }] as never)
    await priceLists.priceListRecords.setPriceListRecordByCurrencyCode(list, variant_id, 'usd', { price: 6 } as never)
    await priceLists.priceListAssignments.upsertPriceListAssignment(list, { channel_id: 1 } as never)
    return {
      records: await priceLists.priceListRecords.getAllPriceListRecords(list),
      assignments: await priceLists.priceListAssignments.getAllPriceListAssignments(),
    }
  },
  shipping: async () => {
    const place = { name: 'Italy', type: 'country', locations: [{ country_iso2: 'IT' }] }
    const { id } = await shippingV2.shippingZones.createShippingZone(place as never)
    const zone = Number(id)
    const flat = { name: 'Flat', type: 'perorder', settings: { rate: 7 } }
    await shippingV2.shippingMethod.createShippingMethod(zone, flat as never)
    const methods = await shippingV2.shippingMethod.getAllShippingMethodsInZone(zone)
    const zones = await shippingV2.shippingZones.getAllShippingZones()
    await shippingV2.shippingZones.deleteShippingZone(zone)
    return { methods, zones }
  },
  tax: async () => {
    const italy = { name: 'Italy', shopper_target_settings: { locations: [{ country_code: 'IT' }] } }
    const zones = (await taxRatesAndZones.taxZones.createTaxZones([
      { ...italy, price_display_settings: { show_inclusive: true } },
    ] as never)) as unknown as { data: { id: number }[] }
    const tax_zone_id = zones.data[0]?.id
    const rate = { name: 'VAT', tax_zone_id, class_rates: [{ rate: 22, tax_class_id: 0 }] }
    await taxRatesAndZones.taxRates.createTaxRates([rate] as never)
    const property = { code: 'ALCOHOL', display_name: 'Alcohol', type: 'PRODUCT' }
    await client.taxProperties.createTaxProperties([property] as never)
    await client.taxSettings.updateTaxSettings({ store_tax_zone_id: tax_zone_id } as never)
    return {
      zone: tax_zone_id,
      rates: await taxRatesAndZones.taxRates.getTaxRates({ 'tax_zone_id:in': tax_zone_id } as never),
      properties: await client.taxProperties.getTaxProperties(),
      settings: await client.taxSettings.getTaxSettings(),
      classes: await client.taxClasses.getAllTaxClasses(),
    }
  },
  marketing: async () => {
    const applies_to = { entity: 'categories', ids: [0] }
    const off = { name: 'Five off', code: 'FIVE', type: 'per_total_discount', amount: '5', applies_to }
    const { id } = await marketing.coupons.createCoupon(off as never)
    return {
      again: await refusalOf(marketing.coupons.createCoupon(off as never)),
      coupon: await marketing.coupons.updateCoupon(Number(id), { ...off, amount: '7' } as never),
      count: await marketing.coupons.getCouponsCount(),
    }
  },
  wishlists: async (wish: { customer_id: number; item: object }) => {
    const birthday = { customer_id: wish.customer_id, name: 'Birthday', is_public: false, items: [] }
    const id = idOf((await wishlists.createWishlist(birthday as never)) as Saved)
    await wishlists.wishlistItems.addWishlistItem(id, { items: [wish.item] } as never)
    return wishlists.getWishlist(id)
  },
  subscribers: async (count: number) => {
    for (let n = 1; n <= count; n++) await subscribers.createSubscriber({ email: person(n).email } as never)
    return {
      all: await subscribers.getSubscribers(),
      again: await refusalOf(subscribers.createSubscriber({ email: person(1).email } as never)),
    }
  },
})
