import { NOBODY, type Shop } from './contract-shop.ts'
import type { Driver } from './driver.ts'

const ALL = '/v3/customers'
const ADDRESSES = `${ALL}/addresses`
const ATTRIBUTES = `${ALL}/attributes`
const VALUES = `${ALL}/attribute-values`
const FIELDS = `${ALL}/form-field-values`
const CONSENT = `${ALL}/:customerId/consent`
const SETTINGS = `${ALL}/settings`
const SUBSCRIBERS = `${ALL}/subscribers`

const ADDRESS = {
  first_name: 'Ada',
  last_name: 'Example',
  company: 'Example Works',
  address1: '1 Example Street',
  address2: '',
  city: 'Austin',
  state_or_province: 'Texas',
  postal_code: '78759',
  country_code: 'US',
  phone: '555-0100',
  address_type: 'residential',
  form_fields: [{ name: 'Gate', value: 'North' }],
}

const CUSTOMER = {
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Example',
  company: 'Example Works',
  phone: '555-0100',
  notes: 'Prefers the mornings',
  tax_exempt_category: '',
  customer_group_id: 0,
  addresses: [ADDRESS],
  authentication: { force_password_reset: true, new_password: 'Not-a-secret-1' },
  accepts_product_review_abandoned_cart_emails: true,
  store_credit_amounts: [{ amount: 4.5 }],
  origin_channel_id: 1,
  channel_ids: [1],
  form_fields: [{ name: 'Size', value: 'Large' }],
  trigger_account_created_notification: false,
}

const EVERYTHING = 'include=addresses,storecredit,attributes,formfields'

async function aCustomer({ made }: Shop): Promise<number> {
  const [row] = (await made('POST', ALL, [CUSTOMER])) as unknown as { id: number }[]
  return row?.id ?? 0
}

async function anAddress(shop: Shop): Promise<number> {
  const customer_id = await aCustomer(shop)
  const [row] = (await shop.made('GET', `${ADDRESSES}?customer_id:in=${customer_id}`)) as unknown as { id: number }[]
  return row?.id ?? 0
}

async function anAttribute({ made }: Shop): Promise<number> {
  const [row] = (await made('POST', ATTRIBUTES, [{ name: 'Shoe size', type: 'number' }])) as unknown as { id: number }[]
  return row?.id ?? 0
}

async function aValue(shop: Shop) {
  return { attribute_id: await anAttribute(shop), customer_id: await aCustomer(shop), value: '42' }
}

async function aSavedValue(shop: Shop): Promise<number> {
  const [row] = (await shop.made('PUT', VALUES, [await aValue(shop)])) as unknown as { id: number }[]
  return row?.id ?? 0
}

const SUBSCRIBER = {
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Example',
  source: 'custom',
  channel_id: 1,
  consents: ['marketing_newsletter'],
}

async function aSubscriber({ made }: Shop): Promise<number> {
  return (await made('POST', SUBSCRIBERS, SUBSCRIBER)).id
}

const PREFERENCES = {
  privacy_settings: { ask_shopper_for_tracking_consent: true, policy_url: 'https://shop.example.com/privacy' },
  customer_group_settings: { guest_customer_group_id: 0, default_customer_group_id: 0 },
}

const subscriberDrivers: Driver[] = [
  {
    operation: `GET ${SUBSCRIBERS}`,
    succeeds: [async (shop) => ({ query: `id=${await aSubscriber(shop)}` })],
    fails: [{ query: 'limit=many' }],
  },
  { operation: `POST ${SUBSCRIBERS}`, succeeds: [{ body: SUBSCRIBER }], fails: [{ body: {} }] },
  {
    operation: `DELETE ${SUBSCRIBERS}`,
    succeeds: [
      async (shop) => ({ query: `email=ada%40example.com&first_name=${(await aSubscriber(shop)) > 0 ? 'Ada' : ''}` }),
    ],
    fails: [],
  },
  {
    operation: `GET ${SUBSCRIBERS}/:subscriberId`,
    succeeds: [async (shop) => ({ ids: [await aSubscriber(shop)] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `PUT ${SUBSCRIBERS}/:subscriberId`,
    succeeds: [async (shop) => ({ ids: [await aSubscriber(shop)], body: { ...SUBSCRIBER, first_name: 'Eve' } })],
    fails: [{ ids: [NOBODY], body: SUBSCRIBER }],
  },
  // What is not there may be removed, so that only who asks can be wrong.
  {
    operation: `DELETE ${SUBSCRIBERS}/:subscriberId`,
    succeeds: [async (shop) => ({ ids: [await aSubscriber(shop)] })],
    fails: [],
  },
]

const settingDrivers: Driver[] = [
  { operation: `GET ${SETTINGS}`, succeeds: [{}], fails: [] },
  {
    operation: `PUT ${SETTINGS}`,
    succeeds: [{ body: PREFERENCES }],
    fails: [{ body: { privacy_settings: { policy_url: 5 } } }],
  },
  { operation: `GET ${SETTINGS}/channels/:channelId`, succeeds: [{ ids: [1] }], fails: [{ ids: [NOBODY] }] },
  {
    operation: `PUT ${SETTINGS}/channels/:channelId`,
    succeeds: [{ ids: [1], body: { ...PREFERENCES, allow_global_logins: true } }],
    fails: [{ ids: [NOBODY], body: PREFERENCES }],
  },
]

export const customerDrivers: Driver[] = [
  {
    operation: `GET ${ALL}`,
    succeeds: [
      async (shop) => ({ query: `id:in=${await aCustomer(shop)}&${EVERYTHING}` }),
      async (shop) => ({ query: `id:in=${await aCustomer(shop)}` }),
    ],
    fails: [{ query: 'id:in=many' }],
  },
  {
    operation: `POST ${ALL}`,
    succeeds: [
      async (shop) => ({
        body: [{ ...CUSTOMER, attributes: [{ attribute_id: await anAttribute(shop), attribute_value: '42' }] }],
      }),
    ],
    fails: [{ body: [{ email: 'nobody@example.com' }] }],
  },
  {
    operation: `PUT ${ALL}`,
    succeeds: [
      async (shop) => {
        const { addresses: _a, trigger_account_created_notification: _t, ...fields } = CUSTOMER
        return { body: [{ ...fields, id: await aCustomer(shop), registration_ip_address: '192.0.2.1' }] }
      },
    ],
    fails: [{ body: [{ id: NOBODY, first_name: 'Nobody' }] }],
  },
  // A filter is not required, and what is not there may be removed.
  { operation: `DELETE ${ALL}`, succeeds: [async (shop) => ({ query: `id:in=${await aCustomer(shop)}` })], fails: [] },
  {
    operation: `POST ${ALL}/validate-credentials`,
    succeeds: [
      async (shop) => ({
        body: { email: (await aCustomer(shop)) > 0 ? CUSTOMER.email : '', password: 'Not-a-secret-1', channel_id: 1 },
      }),
      { body: { email: 'nobody@example.com', password: 'Not-a-secret-1' } },
    ],
    fails: [{ body: {} }],
  },
  {
    operation: `GET ${ADDRESSES}`,
    succeeds: [async (shop) => ({ query: `id:in=${await anAddress(shop)}&include=formfields` })],
    fails: [{ query: 'id:in=many' }],
  },
  {
    operation: `POST ${ADDRESSES}`,
    succeeds: [async (shop) => ({ body: [{ ...ADDRESS, city: 'Akron', customer_id: await aCustomer(shop) }] })],
    fails: [{ body: [{ ...ADDRESS, customer_id: NOBODY }] }],
  },
  {
    operation: `PUT ${ADDRESSES}`,
    succeeds: [async (shop) => ({ body: [{ ...ADDRESS, id: await anAddress(shop), city: 'Akron' }] })],
    fails: [{ body: [{ id: NOBODY, city: 'Akron' }] }],
  },
  {
    operation: `DELETE ${ADDRESSES}`,
    succeeds: [async (shop) => ({ query: `id:in=${await anAddress(shop)}` })],
    fails: [{}],
  },
  {
    operation: `GET ${ATTRIBUTES}`,
    succeeds: [async (shop) => ({ query: (await anAttribute(shop)) > 0 ? 'name=Shoe+size&type=number' : '' })],
    fails: [{ query: 'limit=many' }],
  },
  {
    operation: `POST ${ATTRIBUTES}`,
    succeeds: [{ body: [{ name: 'Born', type: 'date' }] }],
    fails: [{ body: [{ name: 'Born' }] }],
  },
  {
    operation: `PUT ${ATTRIBUTES}`,
    succeeds: [async (shop) => ({ body: [{ id: await anAttribute(shop), name: 'Size of shoes' }] })],
    fails: [{ body: [{ id: NOBODY, name: 'Size of shoes' }] }],
  },
  {
    operation: `DELETE ${ATTRIBUTES}`,
    succeeds: [async (shop) => ({ query: `id:in=${await anAttribute(shop)}` })],
    fails: [{}],
  },
  {
    operation: `GET ${VALUES}`,
    succeeds: [async (shop) => ({ query: (await aSavedValue(shop)) > 0 ? 'name=Shoe+size' : '' })],
    fails: [{ query: 'customer_id:in=many' }],
  },
  {
    operation: `PUT ${VALUES}`,
    succeeds: [async (shop) => ({ body: [await aValue(shop)] })],
    fails: [async (shop) => ({ body: [{ ...(await aValue(shop)), customer_id: NOBODY }] })],
  },
  {
    operation: `DELETE ${VALUES}`,
    succeeds: [async (shop) => ({ query: `id:in=${await aSavedValue(shop)}` })],
    fails: [{}],
  },
  {
    operation: `GET ${FIELDS}`,
    succeeds: [
      async (shop) => ({ query: `customer_id=${await aCustomer(shop)}` }),
      async (shop) => ({ query: `address_id=${await anAddress(shop)}` }),
    ],
    fails: [{ query: 'customer_id=many' }],
  },
  {
    operation: `PUT ${FIELDS}`,
    succeeds: [
      async (shop) => ({ body: [{ customer_id: await aCustomer(shop), name: 'Size', value: ['Large', 'Wide'] }] }),
      async (shop) => ({ body: [{ address_id: await anAddress(shop), name: 'Gate', value: 3 }] }),
    ],
    fails: [{ body: [{ customer_id: NOBODY, name: 'Size', value: 'Large' }] }],
  },
  {
    operation: `GET ${CONSENT}`,
    succeeds: [async (shop) => ({ ids: [await aCustomer(shop)] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `PUT ${CONSENT}`,
    succeeds: [async (shop) => ({ ids: [await aCustomer(shop)], body: { allow: ['essential'], deny: ['targeting'] } })],
    fails: [{ ids: [NOBODY], body: { allow: ['essential'] } }],
  },
  ...settingDrivers,
  ...subscriberDrivers,
]
