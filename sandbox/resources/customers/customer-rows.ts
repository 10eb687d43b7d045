import { createHash } from 'node:crypto'
import type { Row, SandboxStore } from '../../store/store.ts'
import {
  addressTable,
  attributeValueTable,
  customerTable,
  customerTime,
  formFieldTable,
} from '../../tables/customer-tables.ts'
import { groupBy } from '../../tables/rows.ts'
import { type FieldRules, readFields, withFallbacks } from '../../validation/field-rules.ts'
import { channelsTable } from '../channels/channels.ts'
import { complaintsAboutAddress, insertAddress, REQUIRED_INSIDE, shownAddress } from './address-rows.ts'
import { complaintsAboutValue, saveAttributeValue } from './attribute-value-rows.ts'
import { complaintsAboutFields, fieldsOfCustomer, saveFormFields } from './form-field-rows.ts'

type Body = Record<string, unknown>

/**
 * How many children of each kind a customer is returned with, and may be created with. Source: the published customers
 * specification.
 */
const MOST_INLINE = 10

/** Source: `customer_Post` and `customer_Put` of the published customers specification. */
const RULES: FieldRules = {
  email: { kind: 'text', min: 3, max: 255 },
  first_name: { kind: 'text', min: 1, max: 100 },
  last_name: { kind: 'text', min: 1, max: 100 },
  company: { kind: 'text', max: 255, fallback: '' },
  phone: { kind: 'text', max: 50, fallback: '' },
  notes: { kind: 'text', fallback: '' },
  tax_exempt_category: { kind: 'text', max: 255, fallback: '' },
  customer_group_id: { kind: 'integer', min: 0, fallback: 0 },
  accepts_product_review_abandoned_cart_emails: { kind: 'boolean', fallback: false },
  channel_ids: { kind: 'integers', nullable: true },
}

/** Fields that are stored under other names, or not stored. */
const ALSO: FieldRules = {
  origin_channel_id: { kind: 'integer', min: 1 },
  registration_ip_address: { kind: 'text', max: 30 },
  trigger_account_created_notification: { kind: 'boolean' },
}

const REQUIRED = ['email', 'first_name', 'last_name']
const EMAIL = /^[^\s@]+@[^\s@]+$/

/** Errors of a new customer, or of an existing one as it would be after the update. */
export function complaintsAboutCustomer(store: SandboxStore, body: Body, own?: Row): string[] {
  const missing = own ? [] : REQUIRED.filter((field) => body[field] === undefined || body[field] === '')
  const { values, errors } = readFields({ ...RULES, ...ALSO }, body)
  const { authentication = {} } = body
  return [
    ...missing.map((field) => `${field} is required`),
    ...Object.values(errors),
    ...(isObject(authentication) ? [] : ['authentication must be an object']),
    ...(values.email !== undefined && !EMAIL.test(String(values.email)) ? ['email is not an address'] : []),
    ...complaintsAboutChannels(store, values.channel_ids),
    ...complaintsAboutCredit(body.store_credit_amounts),
    ...complaintsAboutFields(store, body.form_fields),
    ...(own ? [] : complaintsAboutParts(store, body)),
    ...takenEmail(store, { ...own, ...values }, own?.id),
  ]
}

function isObject(value: unknown): value is Body {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function complaintsAboutChannels(store: SandboxStore, ids: unknown): string[] {
  if (!Array.isArray(ids)) return []
  if (ids.length === 0) return ['channel_ids must not be empty']
  return ids.filter((id) => !channelsTable(store).get(id)).map((id) => `channel ${id} does not exist`)
}

function complaintsAboutCredit(amounts: unknown): string[] {
  if (amounts === undefined) return []
  const good = Array.isArray(amounts) && amounts.every((one: Body) => Number.isFinite(Number(one?.amount)))
  return good ? [] : ['store_credit_amounts must be an array of amounts']
}

function complaintsAboutParts(store: SandboxStore, { addresses = [], attributes = [] }: Body): string[] {
  if (!Array.isArray(addresses)) return ['addresses must be an array']
  if (!Array.isArray(attributes)) return ['attributes must be an array']
  return [
    ...(addresses.length > MOST_INLINE ? [`addresses must have at most ${MOST_INLINE} items`] : []),
    ...(attributes.length > MOST_INLINE ? [`attributes must have at most ${MOST_INLINE} items`] : []),
    ...addresses.flatMap((one: Body) => complaintsAboutAddress(store, one ?? {}, REQUIRED_INSIDE)),
    ...attributes.flatMap((one: Body) => complaintsAboutValue(store, one?.attribute_id, one?.attribute_value)),
  ]
}

/**
 * An email address is unique within a login scope: among customers of all channels, or on each channel. That case makes
 * no difference is our choice; it is not documented.
 */
function takenEmail(store: SandboxStore, { email, channel_ids }: Body, ownId?: number): string[] {
  if (email === undefined) return []
  const holders = customerTable(store).find({ email_key: String(email) })
  const owner = holders.find((row) => row.id !== ownId && areInOneScope(row.channel_ids, channel_ids ?? null))
  return owner ? [`email ${String(email)} already in use`] : []
}

function areInOneScope(ours: unknown, theirs: unknown): boolean {
  if (!Array.isArray(ours) || !Array.isArray(theirs)) return !Array.isArray(ours) && !Array.isArray(theirs)
  return ours.some((id) => theirs.includes(id))
}

export function insertCustomer(store: SandboxStore, body: Body): Row {
  const row = customerTable(store).insert({
    ...withFallbacks(RULES, readFields(RULES, body).values),
    channel_ids: body.channel_ids ?? null,
    origin_channel_id: Number(body.origin_channel_id ?? 1),
    // The API does not set it. Source: the published filter by this address.
    registration_ip_address: '',
    ...writeOnly(body),
    date_created: customerTime(),
    date_modified: customerTime(),
  })
  for (const address of (body.addresses ?? []) as Body[]) insertAddress(store, row.id, address)
  for (const { attribute_id, attribute_value } of (body.attributes ?? []) as Body[])
    saveAttributeValue(store, row.id, Number(attribute_id), String(attribute_value))
  saveFormFields(store, { customer_id: row.id, address_id: null }, body.form_fields)
  return row
}

export function changeCustomer(store: SandboxStore, own: Row, body: Body): Row {
  const { registration_ip_address: address } = body
  saveFormFields(store, { customer_id: own.id, address_id: null }, body.form_fields)
  return customerTable(store).update(own.id, {
    ...readFields(RULES, body).values,
    ...(typeof address === 'string' ? { registration_ip_address: address } : {}),
    ...writeOnly({ force: own.force_password_reset, credit: own.store_credit, hash: own.password_hash, ...body }),
    date_modified: customerTime(),
  })
}

/** Fields that answers have in another form, or not at all. */
function writeOnly(body: Body): Body {
  const { force_password_reset, new_password } = (body.authentication ?? {}) as Body
  const [credit] = (body.store_credit_amounts ?? []) as Body[]
  return {
    force_password_reset: force_password_reset === undefined ? body.force === true : force_password_reset === true,
    store_credit: credit ? Number(credit.amount) : Number(body.credit ?? 0),
    password_hash: typeof new_password === 'string' ? hashOf(new_password) : (body.hash ?? null),
  }
}

/** Good enough for the made-up customers of a sandbox; a real shop needs a slow hash. */
export function hashOf(password: string): string {
  return createHash('sha256').update(password).digest('hex')
}

/** Children of a page of customers, read with one query per kind. */
export interface CustomerParts {
  addresses: Map<unknown, Row[]>
  values: Map<unknown, Row[]>
  fields: Map<unknown, Row[]>
}

export function partsOf(store: SandboxStore, customers: Row[]): CustomerParts {
  const where = { customer_id: customers.map(({ id }) => id) }
  return {
    addresses: groupBy(addressTable(store).find(where), 'customer_id'),
    values: groupBy(attributeValueTable(store).find(where), 'customer_id'),
    fields: groupBy(formFieldTable(store).find(where), 'customer_id'),
  }
}

/** Addresses and attributes are cut to the limit; their counts are not. */
export function shownCustomer(row: Row, parts: CustomerParts, include: readonly string[]): Body {
  const { force_password_reset, store_credit, password_hash: _hash, ...rest } = row
  const addresses = parts.addresses.get(row.id) ?? []
  const values = parts.values.get(row.id) ?? []
  const fields = parts.fields.get(row.id) ?? []
  const own = fields.filter(({ address_id }) => address_id === null)
  const withFields = include.includes('formfields')
  const shown = addresses.slice(0, MOST_INLINE).map((address) => ({
    ...shownAddress(address),
    ...(withFields ? { form_fields: fieldsOf(fields, address.id) } : {}),
  }))
  return {
    ...rest,
    authentication: { force_password_reset },
    address_count: addresses.length,
    attribute_count: values.length,
    ...(include.includes('addresses') ? { addresses: shown } : {}),
    ...(include.includes('attributes') ? { attributes: values.slice(0, MOST_INLINE) } : {}),
    ...(include.includes('storecredit') ? { store_credit_amounts: [{ amount: store_credit }] } : {}),
    ...(withFields ? { form_fields: own.map(fieldsOfCustomer) } : {}),
  }
}

/**
 * An address inside an answer does not contain the customer's id. Source: `address_Full` of the published customers
 * specification.
 */
function fieldsOf(fields: Row[], addressId: number): Body[] {
  return fields.filter(({ address_id }) => address_id === addressId).map(({ name, value }) => ({ name, value }))
}
