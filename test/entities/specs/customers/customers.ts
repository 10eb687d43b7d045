import { batches, callsOf, fewestOfMetafields, page, type Shops, sum } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate, reasonsOfMetafields } from '../../../comparison/exclusion-reasons.ts'
import type { Row, StoreSide } from '../../../comparison/store-side.ts'
import { metafieldRules, plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { metafieldsOfTwoApps } from '../../../faults/truth.ts'
import type { EntitySpec } from '../spec.ts'

/** The most addresses and values that fit into the creation of a customer. */
const inlineParts = 10

const metafields = metafieldsOfTwoApps({ customer: 'everything@example.com in all' })

export const customers: EntitySpec = {
  entity: 'customers',
  components: {
    'customer-consents': { editedElsewhere: 'every field is destination-owned: test/engine/customer-consent.test.ts' },
    'customer-address-form-fields': {
      editedElsewhere: 'in the table of answers, covered by those of customers',
    },
  },
  kills: {
    customers: {
      component: 'customers',
      pass: 'customers',
      write: { method: 'POST', path: '^/v3/customers$' },
      before: { method: 'GET', path: '^/v3/customers$' },
      probe: { path: '^/v3/customers$', query: /include=/ },
    },
    'customer-consents': {
      component: 'customer-consents',
      pass: 'customers',
      write: { method: 'PUT', path: '^/v3/customers/\\d+/consent$' },
      before: { method: 'POST', path: '^/v3/customers$' },
      probe: { path: '^/v3/customers$', query: /include=/ },
    },
    'customer-metafields': {
      component: 'customer-metafields',
      pass: 'customer-metafields',
      write: { method: 'POST', path: '^/v3/customers/metafields$' },
      before: { method: 'GET', path: '^/v3/customers/metafields$' },
      probe: { path: '^/v3/customers/\\d+/metafields$', query: /limit/ },
    },
  },
  carriedBy: {
    'customer-addresses': 'customers',
    'customer-attribute-values': 'customers',
    'customer-form-fields': 'customers',
    'customer-address-form-fields': 'customers',
  },
  faults: {
    writes: [
      // Before the others, which any of these calls suits.
      {
        ...writing('customer-form-fields', '^/v3/customers$', { body: '"form_fields":\\[\\{.*"addresses":\\[\\{' }),
        components: ['customer-form-fields', 'customer-address-form-fields'],
      },
      writing('customers', '^/v3/customers$'),
      writing('customer-addresses', '^/v3/customers$', { body: '"addresses":\\[\\{' }),
      writing('customer-attribute-values', '^/v3/customers$', { body: '"attributes":\\[\\{' }),
      writing('customer-consents', '^/v3/customers/\\d+/consent$', { method: 'PUT' }),
      writing('customer-metafields', '^/v3/customers/metafields$'),
    ],
    lists: [
      reading(
        [
          'customers',
          'customer-addresses',
          'customer-attribute-values',
          'customer-form-fields',
          'customer-address-form-fields',
        ],
        '^/v3/customers$',
      ),
      reading(['customer-metafields'], '^/v3/customers/metafields$'),
    ],
    details: [reading(['customer-consents'], '^/v3/customers/\\d+/consent$')],
  },
  tables: [
    {
      table: 'customers',
      entity: 'customers',
      references: { origin_channel_id: 'channels', customer_group_id: 'customer_groups' },
      parents: [],
      keys: (row, side) => [`${plainText(row.email).toLowerCase()} in ${entered(row, side)}`],
      rewritten: (row, side) => ({ channel_ids: entered(row, side) }),
    },
    {
      table: 'customer_addresses',
      entity: 'customer-addresses',
      references: { customer_id: 'customers' },
      parents: ['customer_id'],
      keys: ({ id: _id, customer_id: _owner, ...row }) => [Object.values(row).map(plainText).join('/')],
    },
    {
      table: 'customer_attribute_values',
      entity: 'customer-attribute-values',
      references: { customer_id: 'customers', attribute_id: 'customer_attributes' },
      parents: ['customer_id'],
      keys: (row, side) => [plainText(side.refer('customer_attributes', row.attribute_id))],
    },
    {
      table: 'customer_form_fields',
      entity: 'customer-form-fields',
      references: { customer_id: 'customers', address_id: 'customer_addresses' },
      parents: ['address_id', 'customer_id'],
      shownAs: (row) => String(row.customer_id),
      keys: (row) => [plainText(row.name)],
    },
    {
      table: 'customer_consents',
      entity: 'customer-consents',
      references: { customer_id: 'customers' },
      parents: ['customer_id'],
      shownAs: (row) => String(row.customer_id),
      keys: () => ['consent'],
      rewritten: ({ allow, deny }) => ({ allow: sorted(allow), deny: sorted(deny) }),
    },
    metafieldRules('customer_metafields', 'customer-metafields', 'customers'),
  ],
  excludedFields: {
    customers: {
      id: ownId,
      date_created: platformDate,
      date_modified: platformDate,
      registration_ip_address: 'the platform records where a customer registered',
      force_password_reset: 'a copied customer has no password and has to choose one',
      password_hash: 'the platform never returns passwords',
    },
    customer_addresses: { id: ownId },
    customer_attribute_values: { id: ownId, date_created: platformDate, date_modified: platformDate },
    customer_form_fields: { id: ownId },
    customer_consents: { id: ownId },
    customer_metafields: reasonsOfMetafields('customer'),
  },
  notWritable: {
    customers: {
      channel_ids: 'names storefronts, of which the seed has one',
      origin_channel_id: 'fixed when the customer is made',
    },
    customer_addresses: { customer_id: 'an address stays with its customer' },
    customer_attribute_values: { customer_id: 'names the row', attribute_id: 'names the row' },
    customer_form_fields: { customer_id: 'names the row', address_id: 'names the row', name: 'names the row' },
    customer_consents: { customer_id: 'names the row' },
    customer_metafields: { resource_id: 'part of the address' },
  },
  otherValues: {
    'customer_metafields.permission_set': ['read', 'write'],
    'customer_addresses.address_type': ['residential', 'commercial'],
  },
  identifying: {
    customer_addresses: [
      'first_name',
      'last_name',
      'company',
      'phone',
      'address_type',
      'address1',
      'address2',
      'city',
      'state_or_province',
      'postal_code',
      'country_code',
    ],
  },
  onlyOnce: ['customer_addresses', 'customer_form_fields', 'customer_consents'],
  fewest: {
    paths: /^\/v3\/customers(?!\/(subscribers|settings|attributes))/,
    tables: ['customers', 'customer_addresses', 'customer_form_fields', 'customer_metafields'],
    reads: (shops) =>
      shops.list(shops.count('customers'), 'by id or cursor') + fewestOfMetafields('customer').reads(shops),
    looks: (shops) => 1 + callsOf(shops.count('customers'), page) + fewestOfMetafields('customer').looks,
    writes: (shops) =>
      callsOf(shops.count('customers'), batches.customers) +
      callsOf(overflow(shops, 'customer_addresses'), batches.customers) +
      callsOf(overflow(shops, 'customer_attribute_values'), batches.customers) +
      fewestOfMetafields('customer').writes(shops),
  },
  awkward: {
    failures: [
      ...metafields.failures,
      // Emails differ in case only in the source, one customer belongs to a missing storefront, and one has no name.
      'customers natural_key_collision Customer *',
      'customers missing_reference Customer *',
      'customers platform_refused Customer *',
      'customer-addresses platform_refused Customer address *',
    ],
    findings: [
      ...metafields.findings,
      'customers missing twin@example.com in all',
      'customers missing closed-only@example.com in Closed-outlet',
      'customers missing no-name@example.com in all',
      'customers different group-gone@example.com in all customer_group_id',
      'customers different closed-too@example.com in Closed-outlet default storefront channel_ids',
      // It is copied without the blanks at its ends.
      'customers different blank@example.com in all email',
      // Of two equal addresses the platform keeps one, and it refuses one without a name.
      'customer-addresses missing odd-addresses@example.com in all > Ada/Example//1 Example Street//Austin/Texas/78759/US//residential',
      'customer-addresses missing odd-addresses@example.com in all > ///1 Example Street/No name/Austin/Texas/78759/US//residential',
    ],
  },
}

/** The storefronts where a customer may sign in. */
function entered({ channel_ids: ids }: Row, side: StoreSide): string {
  return Array.isArray(ids)
    ? ids
        .map((id) => plainText(side.refer('channels', id)))
        .sort()
        .join(' ')
    : 'all'
}

/** Kinds of tracking, in any order. */
function sorted(kinds: unknown): string[] {
  return (kinds as string[]).toSorted()
}

function overflow(shops: Shops, table: string): number {
  return sum([...shops.sizes(table, 'customer_id').values()].map((size) => Math.max(0, size - inlineParts)))
}
