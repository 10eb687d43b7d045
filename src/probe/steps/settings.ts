import { email, mark, ref, type Step } from '../call.ts'
import { type Operation, stepsOf } from '../operations.ts'
import { accepted, last, status } from '../verdict.ts'

const taxClass: Operation = {
  key: 'tax class',
  path: '/v3/tax/classes',
  batch: true,
  body: { name: mark('class') },
  one: { path: '/v3/tax/classes', batch: true, body: { name: mark('class-two') } },
}

const taxZone: Operation = {
  key: 'tax zone',
  path: '/v3/tax/zones',
  batch: true,
  body: {
    name: mark('zone'),
    enabled: false,
    price_display_settings: { show_inclusive: true, show_both_on_detail_view: false, show_both_on_list_view: false },
    shopper_target_settings: {
      locations: [{ country_code: 'IS', subdivision_codes: [], postal_codes: [] }],
      customer_groups: [],
    },
  },
  again: { documented: last(accepted), seen: last(status(409, 422)), whole: true },
  nullable: ['price_display_settings', 'shopper_target_settings'],
  one: { path: '/v3/tax/zones', batch: true, body: { name: mark('zone-two') } },
}

const taxRate: Operation = {
  key: 'tax rate',
  path: '/v3/tax/rates',
  batch: true,
  body: {
    name: mark('rate'),
    enabled: false,
    priority: 1,
    tax_zone_id: ref('tax zone'),
    class_rates: [{ rate: 8.25, tax_class_id: 0 }],
  },
  again: { documented: last(accepted), seen: last(status(409, 422)), whole: true },
  required: ['tax_zone_id', 'class_rates'],
  one: { path: '/v3/tax/rates', batch: true, body: { name: mark('rate-two'), priority: 2 } },
}

const taxProperty: Operation = {
  key: 'tax property',
  path: '/v3/tax/properties',
  batch: true,
  again: { whole: true },
  body: { code: mark('property'), display_name: 'Property', description: 'Description', type: 'PRODUCT' },
  nullable: ['description', 'display_name'],
  texts: ['description', 'display_name'],
  one: { path: '/v3/tax/properties', batch: true, body: { code: mark('property'), display_name: 'Other' } },
}

const zone = { name: mark('shipping'), type: 'country', locations: [{ country_iso2: 'IS' }], enabled: false }

const shippingZone: Operation = {
  key: 'shipping zone',
  path: '/v2/shipping/zones',
  body: zone,
  again: { documented: last(accepted), seen: last(status(409, 422)), whole: true },
  required: ['type', 'locations'],
  nullable: ['free_shipping', 'handling_fees'],
  one: { path: '/v2/shipping/zones/{shipping zone}', body: { ...zone, enabled: false } },
}

const method = { name: mark('method'), type: 'perorder', settings: { rate: 7 }, enabled: false }

const shippingMethod: Operation = {
  key: 'shipping method',
  path: '/v2/shipping/zones/{shipping zone}/methods',
  body: method,
  again: { documented: last(accepted), seen: last(status(409, 422)), whole: true },
  required: ['name', 'settings'],
  nullable: ['handling_fees'],
  one: {
    path: '/v2/shipping/zones/{shipping zone}/methods/{shipping method}',
    body: { ...method, settings: { rate: 8 } },
  },
}

const location: Operation = {
  key: 'location',
  path: '/v3/inventory/locations',
  batch: true,
  body: {
    code: mark('location'),
    label: mark('location'),
    description: 'Description',
    managed_by_external_source: false,
    type_id: 'PHYSICAL',
    enabled: false,
    time_zone: 'Etc/UTC',
    storefront_visibility: false,
    address: {
      address1: '2 Sample Street',
      city: 'Austin',
      state: 'Texas',
      zip: '78701',
      email: email('location'),
      geo_coordinates: { latitude: 30.2, longitude: -97.7 },
      country_code: 'US',
    },
  },
  // The answer has no ids, but the list does.
  id: null,
  required: ['label', 'address'],
  nullable: ['description', 'time_zone'],
  texts: ['description'],
}

const metafield = {
  namespace: mark('space'),
  key: mark('key'),
  value: 'Value',
  permission_set: 'app_only',
}

const storeMetafield: Operation = {
  key: 'store metafield',
  whole: true,
  path: '/v3/store/metafields',
  batch: true,
  body: metafield,
  one: { path: '/v3/store/metafields', batch: true, body: { ...metafield, value: 'Other' } },
}

const currency: Operation = {
  key: 'currency',
  single: true,
  path: '/v2/currencies',
  body: {
    name: mark('currency'),
    currency_code: 'ISK',
    country_iso2: 'IS',
    currency_exchange_rate: '140',
    token_location: 'right',
    token: 'kr',
    decimal_token: ',',
    thousands_token: '.',
    decimal_places: 0,
    enabled: false,
  },
  again: { documented: last(status(409)), seen: last(status(400)) },
  required: ['currency_code', 'token'],
  one: { path: '/v2/currencies/{currency}', body: { name: mark('currency'), currency_exchange_rate: '141' } },
}

const findLocation: Step = {
  key: 'location: found by its code',
  question: 'Is a new location listed at once, and found by its code?',
  calls: [
    {
      method: 'GET',
      path: '/v3/inventory/locations',
      query: { 'location_code:in': mark('location') },
      finds: { location: '0.id' },
    },
  ],
  documented: last(status(200)),
  quick: true,
}

const pickupMethod: Operation = {
  key: 'pickup method',
  path: '/v3/pickup/methods',
  batch: true,
  body: {
    location_id: ref('location'),
    display_name: mark('pickup'),
    collection_instructions: 'Ring the bell',
    collection_time_description: 'From nine to five',
  },
  again: { documented: last(accepted), seen: last(status(409, 422)), whole: true },
  one: { path: '/v3/pickup/methods', batch: true, body: { display_name: mark('pickup-two') } },
}

const changeLocation: Step = {
  key: 'location: change',
  question: 'What does a change of a location answer?',
  calls: [{ method: 'PUT', path: '/v3/inventory/locations', body: [{ id: ref('location'), description: 'Other' }] }],
  documented: last(accepted),
  quick: true,
}

export const settingSteps: Step[] = [
  ...[taxClass, taxZone, taxRate, taxProperty, shippingZone, shippingMethod, location].flatMap(stepsOf),
  findLocation,
  changeLocation,
  ...[pickupMethod, storeMetafield, currency].flatMap(stepsOf),
]
