import type { StoreClient } from '../../bigcommerce/client.ts'
import { offsetPages } from '../../bigcommerce/pages.ts'
import { numberOf } from '../../model/destination-id.ts'
import { list } from '../catalog/product-children.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, outsideField, outsideOf, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { text } from '../core/limits.ts'
import { customerMetafields } from '../core/metafields.ts'
import { identity, type References } from '../core/references.ts'
import { savedByKey } from '../core/saved-by-key.ts'
import {
  address,
  addressesPath,
  addressFormFields,
  attributeValue,
  consentPath,
  customerConsent,
  customerFormFields,
  customerParts,
  customersPath,
  declaredConsent,
  valuesPath,
  withFields,
} from './customer-parts.ts'

/** Source: the published customers specification. */
const batch = 10
const everything = { include: 'addresses,storecredit,attributes,formfields' }

/** Fields for the complete lists: a page of customers contains at most ten of each per customer. */
const allAddresses = 'all addresses'
const allValues = 'all attribute values'
/** The field for tracking consent, in runs that copy it. */
const consentField = 'consent to tracking'

/**
 * Left out are fields that belong to the platform (dates, counters, IP address of the registration) or to another
 * component (such as addresses), and those that cannot be copied. A new customer has to choose a password, and gets no
 * mail.
 */
export function customerDraft(item: PlatformItem, references: References): Draft {
  const {
    id,
    date_created: _dc,
    date_modified: _dm,
    registration_ip_address: _ip,
    address_count: _ac,
    attribute_count: _vc,
    shopper_profile_id: _sp,
    segment_ids: _si,
    authentication: _au,
    form_fields: _ff,
    addresses,
    attributes,
    [allAddresses]: everyAddress,
    [allValues]: everyValue,
    [consentField]: consent,
    [outsideField]: _out,
    customer_group_id,
    channel_ids,
    origin_channel_id,
    ...rest
  } = item
  const channels = channelsOf(channel_ids, references)
  // Some have blanks at their ends, which the platform does not accept any more.
  const email = String(item.email ?? '').trim()
  const group = Number(customer_group_id ?? 0) === 0 ? 0 : references.want('customer-groups', customer_group_id)
  const compare = { ...rest, email, ...(group !== undefined && { customer_group_id: group }), channel_ids: channels }
  const origin = Number(origin_channel_id ?? 0) > 0 ? references.find('channels', origin_channel_id) : undefined
  const body = {
    ...compare,
    ...(origin !== undefined && { origin_channel_id: origin }),
    authentication: { force_password_reset: true },
    trigger_account_created_notification: false,
  }
  return draft('customers', id, body, {
    compare,
    keys: [`login in ${channels?.join(' ') ?? 'all'}:${email.toLowerCase()}`],
    outside: outsideOf(item),
    children: customerParts(
      item,
      { addresses: everyAddress ?? addresses, values: everyValue ?? attributes, consent },
      references,
    ),
  })
}

/**
 * Null for a customer who may sign in to all channels. A customer limited to some channels must not get into others
 * because theirs are missing, so at least one needs a counterpart.
 */
function channelsOf(ids: unknown, references: References): number[] | null {
  if (!Array.isArray(ids)) return null
  const found = ids.map((id) => references.want('channels', id)).filter((id) => id !== undefined)
  if (found.length === 0 && ids.length > 0) references.need('channels', ids[0])
  return found.sort((a, b) => a - b)
}

/** Keeps channels of other storefronts (D3). */
function withOutside(body: PlatformItem, { outside }: Draft): PlatformItem {
  if (!Array.isArray(body.channel_ids)) return body
  return { ...body, channel_ids: [...new Set([...body.channel_ids, ...(outside.channel_ids ?? [])])] }
}

function createBody(customer: Draft): PlatformItem {
  const inline = (component: string) =>
    customer.children.filter((child) => child.component === component && child.inline).map(withFields)
  return {
    ...withFields(customer),
    addresses: inline('customer-addresses'),
    attributes: inline('customer-attribute-values'),
  }
}

const read = (item: PlatformItem) => customerDraft(item, identity)

/** The login without its channels: the platform may limit a customer of all channels to the first one. */
function sameLogin({ keys: [key = ''] }: Draft): string {
  return key.slice(key.indexOf(':') + 1)
}

/**
 * Customers with orders are not deleted: without its customer, an order could no longer be looked up, refunded or
 * exported by customer.
 */
async function withOrders(client: Pick<StoreClient, 'get'>, ids: string[], signal: AbortSignal): Promise<Set<string>> {
  const found = new Set<string>()
  for (const customer_id of ids) {
    const answer = await client.get('/v2/orders', { customer_id, limit: 1 }, { signal })
    if (list(answer.body).length > 0) found.add(customer_id)
  }
  return found
}

const customer: Component = {
  key: 'customers',
  label: 'Customers',
  findings: ['consents'],
  limits: {
    fields: {
      email: { required: true, longest: 255 },
      first_name: { required: true, longest: 100 },
      last_name: { required: true, longest: 100 },
      company: text,
      phone: { longest: 50 },
      tax_exempt_category: text,
    },
  },
  data: 'personal',
  staysErased: true,
  recovery: 'key',
  naturalKey: 'email, capitals aside, and the channels it may enter',
  mayRewrite: { fields: ['channel_ids'], alike: sameLogin },
  madeByShoppers: true,
  destinationOwned: ['store_credit_amounts', 'accepts_product_review_abandoned_cart_emails'],
  carried: false,
  create: {
    batch,
    call: (desired) => ({ method: 'POST', path: customersPath, body: desired.map((one) => createBody(one.draft)) }),
    results: (_status, body, desired) => savedByKey(body, desired, { read, alike: sameLogin }),
  },
  update: {
    call: (desired, existing, _parentId, fields) => ({
      method: 'PUT',
      path: customersPath,
      body: [changeBody(desired, existing, fields)],
    }),
    several: {
      batch,
      call: (corrections) => ({
        method: 'PUT',
        path: customersPath,
        body: corrections.map(({ desired, existing, fields }) => changeBody(desired, existing, fields)),
      }),
    },
  },
  remove: {
    call: (existing) => ({ method: 'DELETE', path: customersPath, query: { 'id:in': existing.id } }),
    never: withOrders,
  },
  probe: async (client, { keys }) => {
    const emails = keys.flat().map((key) => key.slice(key.indexOf(':') + 1))
    // Keys may not be stored; without them, all customers are listed.
    const filter = emails.length > 0 ? { 'email:in': emails.join(',') } : {}
    const found: Draft[] = []
    for await (const { items } of offsetPages<PlatformItem>(client, customersPath, { ...everything, ...filter }))
      found.push(...items.map(read))
    return found
  },
  callsPerItem: { write: 1 / batch },
}

function changeBody(desired: Draft, existing: Draft, fields: string[] | 'all'): PlatformItem {
  return { id: numberOf(existing.id), ...withOutside(chosenFields(desired.body, fields), existing) }
}

/** A page contains at most ten; the counts tell whether there are more. */
function hasMore(count: unknown, shown: unknown): boolean {
  return Number(count ?? 0) > list(shown).length
}

export const customers = defineEntity({
  key: 'customers',
  label: 'Customers',
  group: 'customers',
  after: ['customer-attributes', 'customer-groups'],
  scopes: [{ scope: 'store_v2_customers', below: [customersPath] }],
  scope: 'store',
  prune: 'allowed',
  components: [
    customer,
    address,
    attributeValue,
    customerFormFields,
    addressFormFields,
    customerConsent,
    customerMetafields.component,
  ],
  notMoved: [
    { what: 'passwords', why: 'the platform never gives them out: each customer chooses a new one at the next login' },
    { what: 'stored cards', why: "the platform's API gives out no more than their last digits" },
    {
      what: 'consent to tracking, unless a run asks for it (`customerConsent`)',
      why: 'the platform gives it out one customer per call, on every run (67 minutes for 20,000 customers at 150 calls per 30 s); without it a copied customer is asked again, which a warning says where the store asks',
    },
    {
      what: 'definitions of form fields',
      why: 'they are made in the control panel; answers are copied by their names',
    },
    {
      what: 'addresses without a state or a postal code of existing customers, and beyond the first ten of a new one',
      why: 'the platform accepts such an address only inside a new customer; the run reports those refused',
    },
    {
      what: 'dates of creation, logins and addresses of registration',
      why: 'the platform records them itself',
    },
  ],
  passes: [
    {
      key: 'customers',
      label: 'Customers',
      root: 'customers',
      source: { path: customersPath, query: everything, kind: 'cursor', limit: 250, idField: 'id' },
      picks: { idsParameter: 'id:in' },
      sameKey: ({ email }) => [{ 'email:in': String(email) }],
      sets: [{ field: 'channel_ids', of: 'channels', assigns: true }],
      byIds: { path: customersPath, query: everything, idsParameter: 'id:in', limit: 250 },
      destination: {
        path: customersPath,
        kind: 'cursor',
        limit: 250,
        idField: 'id',
        complete: false,
        compared: { query: everything, limit: 250 },
      },
      details: [
        {
          field: allAddresses,
          path: () => addressesPath,
          query: (id) => ({ 'customer_id:in': id, include: 'formfields' }),
          mayHave: ({ address_count, addresses }) => hasMore(address_count, addresses),
        },
        {
          field: allValues,
          path: () => valuesPath,
          query: (id) => ({ 'customer_id:in': id }),
          mayHave: ({ attribute_count, attributes }) => hasMore(attribute_count, attributes),
        },
        {
          field: consentField,
          path: consentPath,
          mayHave: () => true,
          when: ({ customerConsent, phases }) => customerConsent && phases.includes('customers'),
          listed: declaredConsent,
        },
      ],
      changedSince: 'date_modified:min',
      drafts: customerDraft,
    },
    customerMetafields.pass,
  ],
})
