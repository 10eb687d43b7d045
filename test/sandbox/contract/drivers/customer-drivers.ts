import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { at, type Driver, drive } from './driver.ts'

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
  drive(`GET ${SUBSCRIBERS}`, async (shop) => ({ query: `id=${await aSubscriber(shop)}` }), { query: 'limit=many' }),
  drive(`POST ${SUBSCRIBERS}`, { body: SUBSCRIBER }, { body: {} }),
  drive(`DELETE ${SUBSCRIBERS}`, async (shop) => ({
    query: `email=ada%40example.com&first_name=${(await aSubscriber(shop)) > 0 ? 'Ada' : ''}`,
  })),
  drive(`GET ${SUBSCRIBERS}/:subscriberId`, at(aSubscriber)),
  drive(`PUT ${SUBSCRIBERS}/:subscriberId`, at(aSubscriber, { body: { ...SUBSCRIBER, first_name: 'Eve' } }), {
    ids: [NO_SUCH_ID],
    body: SUBSCRIBER,
  }),
  // What is not there may be removed, so that only who asks can be wrong.
  drive(`DELETE ${SUBSCRIBERS}/:subscriberId`, at(aSubscriber), []),
]

const settingDrivers: Driver[] = [
  drive(`GET ${SETTINGS}`),
  drive(`PUT ${SETTINGS}`, { body: PREFERENCES }, { body: { privacy_settings: { policy_url: 5 } } }),
  drive(`GET ${SETTINGS}/channels/:channelId`, { ids: [1] }),
  drive(
    `PUT ${SETTINGS}/channels/:channelId`,
    { ids: [1], body: { ...PREFERENCES, allow_global_logins: true } },
    { ids: [NO_SUCH_ID], body: PREFERENCES },
  ),
]

export const customerDrivers: Driver[] = [
  drive(
    `GET ${ALL}`,
    [
      async (shop) => ({ query: `id:in=${await aCustomer(shop)}&${EVERYTHING}` }),
      async (shop) => ({ query: `id:in=${await aCustomer(shop)}` }),
    ],
    { query: 'id:in=many' },
  ),
  drive(
    `POST ${ALL}`,
    async (shop) => ({
      body: [{ ...CUSTOMER, attributes: [{ attribute_id: await anAttribute(shop), attribute_value: '42' }] }],
    }),
    { body: [{ email: 'nobody@example.com' }] },
  ),
  drive(
    `PUT ${ALL}`,
    async (shop) => {
      const { addresses: _a, trigger_account_created_notification: _t, ...fields } = CUSTOMER
      return { body: [{ ...fields, id: await aCustomer(shop), registration_ip_address: '192.0.2.1' }] }
    },
    { body: [{ id: NO_SUCH_ID, first_name: 'Unknown' }] },
  ),
  // A filter is not required, and what is not there may be removed.
  drive(`DELETE ${ALL}`, async (shop) => ({ query: `id:in=${await aCustomer(shop)}` })),
  drive(
    `POST ${ALL}/validate-credentials`,
    [
      async (shop) => ({
        body: { email: (await aCustomer(shop)) > 0 ? CUSTOMER.email : '', password: 'Not-a-secret-1', channel_id: 1 },
      }),
      { body: { email: 'nobody@example.com', password: 'Not-a-secret-1' } },
    ],
    { body: {} },
  ),
  drive(`GET ${ADDRESSES}`, async (shop) => ({ query: `id:in=${await anAddress(shop)}&include=formfields` }), {
    query: 'id:in=many',
  }),
  drive(
    `POST ${ADDRESSES}`,
    async (shop) => ({ body: [{ ...ADDRESS, city: 'Akron', customer_id: await aCustomer(shop) }] }),
    { body: [{ ...ADDRESS, customer_id: NO_SUCH_ID }] },
  ),
  drive(`PUT ${ADDRESSES}`, async (shop) => ({ body: [{ ...ADDRESS, id: await anAddress(shop), city: 'Akron' }] }), {
    body: [{ id: NO_SUCH_ID, city: 'Akron' }],
  }),
  drive(`DELETE ${ADDRESSES}`, async (shop) => ({ query: `id:in=${await anAddress(shop)}` }), {}),
  drive(
    `GET ${ATTRIBUTES}`,
    async (shop) => ({ query: (await anAttribute(shop)) > 0 ? 'name=Shoe+size&type=number' : '' }),
    { query: 'limit=many' },
  ),
  drive(`POST ${ATTRIBUTES}`, { body: [{ name: 'Born', type: 'date' }] }, { body: [{ name: 'Born' }] }),
  drive(`PUT ${ATTRIBUTES}`, async (shop) => ({ body: [{ id: await anAttribute(shop), name: 'Size of shoes' }] }), {
    body: [{ id: NO_SUCH_ID, name: 'Size of shoes' }],
  }),
  drive(`DELETE ${ATTRIBUTES}`, async (shop) => ({ query: `id:in=${await anAttribute(shop)}` }), {}),
  drive(`GET ${VALUES}`, async (shop) => ({ query: (await aSavedValue(shop)) > 0 ? 'name=Shoe+size' : '' }), {
    query: 'customer_id:in=many',
  }),
  drive(
    `PUT ${VALUES}`,
    async (shop) => ({ body: [await aValue(shop)] }),
    async (shop) => ({ body: [{ ...(await aValue(shop)), customer_id: NO_SUCH_ID }] }),
  ),
  drive(`DELETE ${VALUES}`, async (shop) => ({ query: `id:in=${await aSavedValue(shop)}` }), {}),
  drive(
    `GET ${FIELDS}`,
    [
      async (shop) => ({ query: `customer_id=${await aCustomer(shop)}` }),
      async (shop) => ({ query: `address_id=${await anAddress(shop)}` }),
    ],
    { query: 'customer_id=many' },
  ),
  drive(
    `PUT ${FIELDS}`,
    [
      async (shop) => ({ body: [{ customer_id: await aCustomer(shop), name: 'Size', value: ['Large', 'Wide'] }] }),
      async (shop) => ({ body: [{ address_id: await anAddress(shop), name: 'Gate', value: 3 }] }),
    ],
    { body: [{ customer_id: NO_SUCH_ID, name: 'Size', value: 'Large' }] },
  ),
  drive(`GET ${CONSENT}`, at(aCustomer)),
  drive(`PUT ${CONSENT}`, at(aCustomer, { body: { allow: ['essential'], deny: ['targeting'] } }), {
    ids: [NO_SUCH_ID],
    body: { allow: ['essential'] },
  }),
  ...settingDrivers,
  ...subscriberDrivers,
]
