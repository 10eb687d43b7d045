import { offsetPages } from '../../bigcommerce/pages.ts'
import { numberOf } from '../../model/destination-id.ts'
import { list } from '../catalog/product-children.ts'
import type { Probe } from '../core/calls.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { text } from '../core/limits.ts'
import type { References } from '../core/references.ts'
import { savedByKey } from '../core/saved-by-key.ts'

export const customersPath = '/v3/customers'
export const addressesPath = `${customersPath}/addresses`
export const valuesPath = `${customersPath}/attribute-values`

/** A new customer accepts at most this many of each. Source: the published customers specification. */
const mostInline = 10
/** Source: the specification, for customers and values; it documents no batch limit for addresses. */
const batch = 10

/**
 * The fields that identify an address: no two addresses of a customer have the same values in all of them. Source: the
 * notes of the published POST.
 */
const addressCore = [
  'first_name',
  'last_name',
  'company',
  'phone',
  'address_type',
  'address1',
  'address2',
  'city',
  'country_code',
  'state_or_province',
  'postal_code',
]

/** Source: the specification. The second list applies to addresses sent separately. */
const required = ['first_name', 'last_name', 'address1', 'city', 'country_code']
const requiredAlone = ['state_or_province', 'postal_code']

/** The children of a customer. `addresses` and `values` are complete, not just what the list of customers contains. */
export function customerParts(
  item: PlatformItem,
  { addresses, values, consent }: { addresses: unknown; values: unknown; consent: unknown },
  references: References,
): Draft[] {
  return [
    ...inlineFirst(distinct(list(addresses).map(addressDraft))),
    ...list(values)
      .flatMap((value) => valueDraft(value, references) ?? [])
      .map(asInline),
    ...fieldsDraft('customer-form-fields', item).map((one) => ({ ...one, inline: true })),
    ...list(consent).map((declared) => consentDraft(item.id, declared)),
  ]
}

/**
 * An address sent separately needs a state and a postal code; one sent with a new customer does not, so addresses
 * without them go inline first. An address that the platform refuses either way is never inline, because the platform
 * would refuse the customer with it.
 */
function inlineFirst(addresses: Draft[]): Draft[] {
  const [refused, taken] = partition(addresses, (one) => isMissing(one, required))
  const [onlyInside, others] = partition(taken, (one) => isMissing(one, requiredAlone))
  return [...[...onlyInside, ...others].map(asInline), ...refused]
}

function isMissing({ body }: Draft, fields: readonly string[]): boolean {
  return fields.some((field) => !body[field])
}

function partition<Item>(items: Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

function asInline(child: Draft, at: number): Draft {
  const inline = at < mostInline
  return { ...child, inline, children: child.children.map((one) => ({ ...one, inline })) }
}

/** The body with the form fields that are sent inline. */
export function withFields({ body, children }: Draft): PlatformItem {
  const fields = children.find(({ component, inline }) => inline && fieldsOf.includes(component))
  return { ...body, ...fields?.body }
}

/** The platform keeps only one of several equal addresses. */
function distinct(addresses: Draft[]): Draft[] {
  return [...new Map(addresses.map((address) => [address.keys[0], address])).values()]
}

export function addressDraft(item: PlatformItem): Draft {
  const { id, country: _country, customer_id: _owner, form_fields: _fields, ...body } = item
  const key = JSON.stringify(addressCore.map((field) => body[field] ?? ''))
  return draft('customer-addresses', id, body, {
    keys: [`address:${key}`],
    children: fieldsDraft('customer-address-form-fields', item),
  })
}

/** An address from a list that covers several customers. */
function ownedAddress(item: PlatformItem): Draft {
  return { ...addressDraft(item), parentId: String(item.customer_id) }
}

function ownedValue({ id, attribute_id, attribute_value, customer_id }: PlatformItem): Draft {
  const body = { attribute_id, attribute_value }
  const parentId = String(customer_id)
  return draft('customer-attribute-values', id, body, { keys: [`attribute:${attribute_id}`], parentId })
}

/** Lists the items of the customers given as parents. */
function ofCustomers(path: string, read: (item: PlatformItem) => Draft): Probe {
  return async (client, { parentIds }) => {
    const found: Draft[] = []
    for await (const { items } of offsetPages<PlatformItem>(client, path, { 'customer_id:in': parentIds.join(',') }))
      found.push(...items.map(read))
    return found
  }
}

/** Undefined if the destination does not have the attribute. */
function valueDraft(item: PlatformItem, references: References): Draft | undefined {
  const attribute_id = references.want('customer-attributes', item.attribute_id)
  if (attribute_id === undefined) return undefined
  const body = { attribute_id, attribute_value: item.attribute_value }
  return draft('customer-attribute-values', item.id, body, { keys: [`attribute:${attribute_id}`] })
}

/** One draft with all form fields of an owner, compared by field name: a field that only the destination has stays. */
function fieldsDraft(component: string, owner: PlatformItem): Draft[] {
  const fields = list(owner.form_fields).map(({ name, value }) => ({ name: String(name), value }))
  if (fields.length === 0) return []
  const compare = Object.fromEntries(fields.map(({ name, value }) => [name, value]))
  return [draft(component, owner.id, { form_fields: fields }, { compare, keys: ['fields'] })]
}

export const address: Component = {
  key: 'customer-addresses',
  label: 'Customer addresses',
  sentAlone: (one) => !isMissing(one, requiredAlone),
  limits: {
    fields: {
      first_name: { required: true, longest: 255 },
      last_name: { required: true, longest: 255 },
      company: text,
      address1: { required: true },
      city: { required: true, longest: 100 },
      state_or_province: { longest: 100 },
      postal_code: { longest: 30 },
      country_code: { required: true, longest: 2 },
      phone: { longest: 50 },
    },
  },
  data: 'personal',
  // Sending again is safe: the platform does not create an address that the customer already has.
  recovery: 'resend',
  naturalKey: 'all that it says, form fields aside',
  madeByShoppers: true,
  destinationOwned: [],
  carried: false,
  create: {
    batch,
    call: (desired) => ({
      method: 'POST',
      path: addressesPath,
      body: desired.map(({ draft: { body }, parentId }) => ({ ...body, customer_id: numberOf(parentId) })),
    }),
    // The response leaves out an address that the customer already has.
    results: (_status, body, desired, parentIds) => savedByKey(body, desired, { read: ownedAddress, parentIds }),
  },
  update: {
    call: (desired, existing, _parentId, fields) => ({
      method: 'PUT',
      path: addressesPath,
      body: [{ id: numberOf(existing.id), ...chosenFields(desired.body, fields) }],
    }),
  },
  remove: { call: (existing) => ({ method: 'DELETE', path: addressesPath, query: { 'id:in': existing.id } }) },
  probe: ofCustomers(addressesPath, ownedAddress),
  read: addressDraft,
  callsPerItem: { write: 1 / batch },
}

/** The platform returns the value as `attribute_value` but accepts it as `value`. */
function valueBody({ body }: Draft, customerId: string): PlatformItem {
  return { attribute_id: body.attribute_id, value: body.attribute_value, customer_id: numberOf(customerId) }
}

export const attributeValue: Component = {
  key: 'customer-attribute-values',
  label: 'Customer attribute values',
  sentAlone: () => true,
  limits: { fields: { attribute_value: text } },
  data: 'personal',
  recovery: 'resend',
  naturalKey: 'customer and attribute',
  madeByShoppers: true,
  destinationOwned: [],
  carried: false,
  create: {
    batch,
    call: (desired) => ({
      method: 'PUT',
      path: valuesPath,
      body: desired.map((one) => valueBody(one.draft, one.parentId)),
    }),
    results: (_status, body, desired, parentIds) => savedByKey(body, desired, { read: ownedValue, parentIds }),
  },
  update: {
    call: (desired, _existing, parentId) => ({ method: 'PUT', path: valuesPath, body: [valueBody(desired, parentId)] }),
  },
  remove: { call: (existing) => ({ method: 'DELETE', path: valuesPath, query: { 'id:in': existing.id } }) },
  probe: ofCustomers(valuesPath, ownedValue),
  callsPerItem: { write: 1 / batch },
}

/** If the destination's forms do not have one of the fields, the platform refuses the customer with it. */
function formFields(key: string, label: string, path: string): Component {
  const body = ({ body: { form_fields } }: Draft, ownerId: string) => ({ id: numberOf(ownerId), form_fields })
  return {
    key,
    label,
    data: 'personal',
    recovery: 'resend',
    naturalKey: 'its owner',
    madeByShoppers: true,
    destinationOwned: [],
    carried: false,
    triedInline: ({ compare }) => Object.keys(compare),
    create: {
      batch,
      call: (desired) => ({ method: 'PUT', path, body: desired.map((one) => body(one.draft, one.parentId)) }),
      results: (_status, _body, desired) => desired.map(() => ({ withoutId: true })),
    },
    knownAs: (_draft, ownerId) => ownerId,
    update: { call: (desired, _existing, parentId) => ({ method: 'PUT', path, body: [body(desired, parentId)] }) },
    callsPerItem: { write: 1 / batch },
  }
}

/** Source: the published enumeration, in its order. */
const trackingKinds = ['essential', 'functional', 'analytics', 'targeting']

export const consentPath = (customerId: string) => `${customersPath}/${customerId}/consent`

/** A customer's tracking consent as a list; empty if the customer was never asked. The platform returns one object. */
export function declaredConsent(body: unknown): PlatformItem[] {
  const { updated_at: _updatedAt, ...consent } = (body ?? {}) as PlatformItem
  return Object.values(consent).some((kinds) => Array.isArray(kinds) && kinds.length > 0) ? [consent] : []
}

/** The order of the kinds has no meaning. */
function consentDraft(customerId: unknown, consent: PlatformItem): Draft {
  const body = Object.fromEntries(
    Object.entries(consent).map(([field, kinds]) => [field, Array.isArray(kinds) ? inOrder(kinds) : kinds]),
  )
  return draft('customer-consents', customerId, body, { keys: ['consent'] })
}

function inOrder(kinds: unknown[]): unknown[] {
  return kinds.toSorted((a, b) => trackingKinds.indexOf(String(a)) - trackingKinds.indexOf(String(b)))
}

/** If a customer has answered at the destination, that answer is kept (D1). */
export const customerConsent: Component = {
  key: 'customer-consents',
  label: 'Consent of customers',
  data: 'personal',
  recovery: 'resend',
  naturalKey: 'its owner',
  madeByShoppers: true,
  destinationOwned: ['allow', 'deny'],
  carried: false,
  create: {
    batch: 1,
    call: ([one]) => ({ method: 'PUT', path: consentPath(one?.parentId ?? ''), body: one?.draft.body }),
    results: () => [{ withoutId: true }],
  },
  knownAs: (_draft, ownerId) => ownerId,
  update: {
    call: (desired, _existing, parentId) => ({ method: 'PUT', path: consentPath(parentId), body: desired.body }),
  },
  callsPerItem: { write: 1 },
}

export const customerFormFields = formFields('customer-form-fields', 'Customer form fields', customersPath)
export const addressFormFields = formFields('customer-address-form-fields', 'Address form fields', addressesPath)

const fieldsOf = [customerFormFields.key, addressFormFields.key]
