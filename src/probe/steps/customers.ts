import { email, mark, ref, type Step } from '../call.ts'
import { type Operation, stepsOf } from '../operations.ts'
import { about, accepted, data, last, status, titled } from '../verdict.ts'

const customers = '/v3/customers'

const addressFields = {
  first_name: 'Robin',
  last_name: 'Sample',
  company: '',
  address1: '1 Sample Street',
  address2: '',
  city: 'Austin',
  state_or_province: 'Texas',
  postal_code: '78759',
  country_code: 'US',
  phone: '',
  address_type: 'residential',
}

const group: Operation = {
  key: 'customer group',
  unknownFieldQuick: true,
  path: '/v2/customer_groups',
  body: { name: mark('group'), is_default: false },
  again: { documented: last(status(409)), seen: last(accepted) },
  nullable: ['category_access', 'discount_rules'],
  one: {
    path: '/v2/customer_groups/{customer group}',
    body: { name: mark('group'), discount_rules: [{ type: 'all', method: 'percent', amount: '5.0000' }] },
  },
}

const attribute: Operation = {
  key: 'customer attribute',
  path: `${customers}/attributes`,
  batch: true,
  body: { name: mark('attribute'), type: 'string' },
  required: ['type'],
  one: { path: `${customers}/attributes`, batch: true, body: { name: mark('attribute-two') } },
}

const customer: Operation = {
  key: 'customer',
  path: customers,
  batch: true,
  body: {
    email: email('customer'),
    first_name: 'Robin',
    last_name: 'Sample',
    company: 'Company',
    phone: '555-0100',
    notes: 'Notes',
    tax_exempt_category: '',
    customer_group_id: ref('customer group'),
    addresses: [addressFields],
    attributes: [{ attribute_id: ref('customer attribute'), attribute_value: 'Value' }],
    store_credit_amounts: [{ amount: 4.5 }],
    accepts_product_review_abandoned_cart_emails: false,
    trigger_account_created_notification: false,
  },
  again: { documented: last(status(422)), seen: last(status(409, 422), titled(/already in use/i)) },
  required: ['first_name', 'last_name'],
  nullable: ['company', 'phone', 'notes', 'tax_exempt_category', 'channel_ids', 'customer_group_id', 'addresses'],
  texts: ['company', 'phone', 'notes', 'first_name'],
  one: { path: customers, batch: true, body: { notes: 'Other notes' } },
}

const subscriber: Operation = {
  key: 'subscriber',
  path: `${customers}/subscribers`,
  body: { email: email('subscriber'), first_name: 'Robin', last_name: 'Sample', source: 'custom', channel_id: 1 },
  again: { documented: last(status(409)), seen: last(accepted) },
  nullable: ['first_name', 'channel_id', 'source'],
  texts: ['first_name', 'source'],
  one: { path: `${customers}/subscribers/{subscriber}`, body: { first_name: 'Robin', email: email('subscriber') } },
}

const segment: Operation = {
  key: 'segment',
  path: '/v3/segments',
  batch: true,
  body: { name: mark('segment'), description: 'Description' },
  nullable: ['description'],
  texts: ['description'],
  one: { path: '/v3/segments', batch: true, body: { name: mark('segment-two') } },
}

const wishlist: Operation = {
  key: 'wishlist',
  path: '/v3/wishlists',
  body: {
    customer_id: ref('customer'),
    name: mark('wishlist'),
    is_public: false,
    items: [{ product_id: ref('product'), variant_id: ref('base variant') }],
  },
  again: { documented: last(accepted), seen: last(status(409, 422)), whole: true },
  required: ['customer_id', 'items'],
  one: {
    path: '/v3/wishlists/{wishlist}',
    body: {
      customer_id: ref('customer'),
      name: mark('wishlist-two'),
      is_public: true,
      items: [{ product_id: ref('product') }],
    },
  },
}

const before: Step[] = [
  {
    key: 'customer addresses: list',
    question: 'Which addresses has a new customer?',
    calls: [
      {
        method: 'GET',
        path: `${customers}/addresses`,
        query: { 'customer_id:in': ref('customer') },
        finds: { 'customer address': '0.id' },
      },
    ],
    documented: last(status(200)),
    quick: true,
  },
  {
    key: 'customer address: create',
    question: 'What does another address of a customer answer?',
    calls: [
      {
        method: 'POST',
        path: `${customers}/addresses`,
        body: [{ ...addressFields, city: 'Dallas', customer_id: ref('customer') }],
      },
    ],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'customer address: again',
    question: 'Is an address that a customer has already left out of the answer?',
    calls: [
      { method: 'POST', path: `${customers}/addresses`, body: [{ ...addressFields, customer_id: ref('customer') }] },
    ],
    documented: last(status(200), ({ body }) => isEmptyData(body)),
    seen: last(status(200)),
    quick: true,
  },
  {
    key: 'customer address: unknown state',
    question: 'Does an address need a state that the platform knows?',
    calls: [
      {
        method: 'POST',
        path: `${customers}/addresses`,
        body: [{ ...addressFields, city: 'Houston', state_or_province: 'Nowhere Land', customer_id: ref('customer') }],
      },
    ],
    documented: last(accepted),
    seen: last(status(422), about(/state/)),
    quick: true,
  },
  {
    key: 'customer address: change',
    question: 'What does a change of an address answer?',
    calls: [
      {
        method: 'PUT',
        path: `${customers}/addresses`,
        body: [{ id: ref('customer address'), city: 'El Paso' }],
      },
    ],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'attribute value: change',
    question: 'What does a value of a customer attribute answer?',
    calls: [
      {
        method: 'PUT',
        path: `${customers}/attribute-values`,
        body: [{ attribute_id: ref('customer attribute'), customer_id: ref('customer'), value: 'Other' }],
      },
    ],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'form field value: unknown field',
    question: 'What does a value of a form field that the store does not have answer?',
    calls: [
      {
        method: 'PUT',
        path: `${customers}/form-field-values`,
        body: [{ customer_id: ref('customer'), name: mark('form-field'), value: 'Value' }],
      },
    ],
    documented: last(status(422)),
    seen: last(status(200)),
    quick: true,
  },
  {
    key: 'consent: change',
    question: 'What does a consent of a customer answer?',
    calls: [
      {
        method: 'PUT',
        path: `${customers}/{customer}/consent`,
        body: { allow: ['essential'], deny: ['targeting'] },
      },
    ],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'consent: one list only',
    question: 'Does a consent need both of its lists?',
    calls: [{ method: 'PUT', path: `${customers}/{customer}/consent`, body: { allow: ['essential'] } }],
    documented: last(accepted),
    seen: last(status(422)),
    quick: true,
  },
  {
    key: 'customer metafield: create',
    question: 'What does a metafield of a customer answer?',
    calls: [
      {
        method: 'POST',
        path: `${customers}/{customer}/metafields`,
        body: { namespace: mark('space'), key: mark('key'), value: 'Value', permission_set: 'app_only' },
      },
    ],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'customer: one taken address among new ones',
    needs: ['customer'],
    question: 'Is a good customer saved beside one whose e-mail address is taken?',
    calls: [
      {
        method: 'POST',
        path: customers,
        body: [
          { email: email('fresh'), first_name: 'Fresh', last_name: 'Sample' },
          { email: email('customer'), first_name: 'Taken', last_name: 'Sample' },
        ],
      },
    ],
    documented: last(status(422)),
    seen: last(status(207)),
    quick: true,
  },
  {
    key: 'customer: unknown id in a change',
    question: 'What does a change of a customer who does not exist answer?',
    calls: [{ method: 'PUT', path: customers, body: [{ id: 2_000_000_123, first_name: 'Robin' }] }],
    documented: last(status(422)),
    quick: false,
  },
  {
    key: 'shopper profile: create',
    question: 'What does a shopper profile answer?',
    calls: [
      {
        method: 'POST',
        path: '/v3/shopper-profiles',
        body: [{ customer_id: ref('customer') }],
        finds: { 'shopper profile': '0.id' },
      },
    ],
    documented: last(accepted),
    quick: true,
  },
]

const after: Step[] = [
  {
    key: 'segment: add a shopper profile',
    question: 'What does a new member of a segment answer?',
    calls: [{ method: 'POST', path: '/v3/segments/{segment}/shopper-profiles', body: [ref('shopper profile')] }],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'wishlist: total beside rows',
    question: 'Is the total of the list of wishlists right?',
    calls: [{ method: 'GET', path: '/v3/wishlists' }],
    documented: last(status(200), ({ body }) => totalOf(body) > 0),
    seen: last(
      status(200),
      ({ body }) => totalOf(body) === 0,
      data(({ id }) => id !== undefined),
    ),
    quick: true,
  },
  {
    key: 'wishlist: add an item',
    question: 'What does another item of a wishlist answer?',
    calls: [
      { method: 'POST', path: '/v3/wishlists/{wishlist}/items', body: { items: [{ product_id: ref('product') }] } },
    ],
    documented: last(accepted),
    quick: true,
  },
]

function isEmptyData(body: unknown): boolean {
  const rows = (body as { data?: unknown } | undefined)?.data
  return Array.isArray(rows) && rows.length === 0
}

function totalOf(body: unknown): number {
  return Number((body as { meta?: { pagination?: { total?: unknown } } } | undefined)?.meta?.pagination?.total ?? -1)
}

export const customerSteps: Step[] = [
  ...[group, attribute, customer, subscriber].flatMap(stepsOf),
  ...before,
  ...[segment, wishlist].flatMap(stepsOf),
  ...after,
]
