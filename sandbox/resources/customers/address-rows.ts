import type { Row, SandboxStore } from '../../store/store.ts'
import { addressTable } from '../../tables/customer-tables.ts'
import { complaintsAboutMissing, type FieldRules, readFields, withFallbacks } from '../../validation/field-rules.ts'
import { COUNTRIES, STATES } from '../settings/country-list.ts'
import { complaintsAboutFields, saveFormFields } from './form-field-rows.ts'

type Body = Record<string, unknown>

/** Source: `address_Post` of the published customers specification. */
const RULES: FieldRules = {
  first_name: { kind: 'text', min: 1, max: 255 },
  last_name: { kind: 'text', min: 1, max: 255 },
  company: { kind: 'text', max: 255, fallback: '' },
  address1: { kind: 'text' },
  address2: { kind: 'text', fallback: '' },
  city: { kind: 'text', max: 100 },
  state_or_province: { kind: 'text', max: 100, fallback: '' },
  postal_code: { kind: 'text', max: 30, fallback: '' },
  country_code: { kind: 'text', min: 2, max: 2 },
  phone: { kind: 'text', max: 50, fallback: '' },
  address_type: { kind: 'text', oneOf: ['residential', 'commercial'], fallback: 'residential' },
}

/** A customer has no two addresses with equal values in all of these. Source: the notes of the published POST. */
const CORE = Object.keys(RULES)

/** Required fields of an address inside a new customer. The address call requires two more. */
export const REQUIRED_INSIDE = ['first_name', 'last_name', 'address1', 'city', 'country_code']

export function complaintsAboutAddress(store: SandboxStore, body: Body, required: readonly string[]): string[] {
  return [
    ...Object.values(complaintsAboutMissing(required, body)),
    ...Object.values(readFields(RULES, body).errors),
    ...(store.switches.address_states === 'known' ? complaintsAboutState(body) : []),
    ...complaintsAboutFields(store, body.form_fields),
  ]
}

/** A state may be given by name or code, in countries that have states. */
function complaintsAboutState({ country_code, state_or_province: state }: Body): string[] {
  const country = COUNTRIES.find(({ country_iso2 }) => country_iso2 === country_code)
  const states = STATES.filter(({ country_id }) => country_id === country?.id)
  if (states.length === 0 || typeof state !== 'string' || state === '') return []
  const isKnown = states.flatMap((one) => [one.state, one.state_abbreviation]).some((name) => isSameText(name, state))
  return isKnown ? [] : [`the state or province ${state} of the address is not known`]
}

function isSameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.trim().toLowerCase()
}

/** @returns undefined if the customer already has this address; then nothing is saved, not even its form fields */
export function insertAddress(store: SandboxStore, customer_id: number, body: Body): Row | undefined {
  const fields = withFallbacks(RULES, readFields(RULES, body).values)
  if (twinOf(store, customer_id, fields)) return undefined
  const row = addressTable(store).insert({ ...fields, customer_id })
  saveFormFields(store, { customer_id, address_id: row.id }, body.form_fields)
  return row
}

/** @returns undefined if it would be equal to another address of the customer */
export function changeAddress(store: SandboxStore, own: Row, body: Body): Row | undefined {
  const { values } = readFields(RULES, body)
  const customer_id = Number(own.customer_id)
  if (twinOf(store, customer_id, { ...own, ...values }, own.id)) return undefined
  saveFormFields(store, { customer_id, address_id: own.id }, body.form_fields)
  return addressTable(store).update(own.id, values)
}

function twinOf(store: SandboxStore, customer_id: number, fields: Body, ownId?: number): Row | undefined {
  return addressTable(store)
    .find({ customer_id })
    .find((row) => row.id !== ownId && CORE.every((field) => row[field] === fields[field]))
}

const names = new Map(COUNTRIES.map(({ country, country_iso2 }) => [country_iso2, country]))

export function shownAddress(row: Row): Body {
  return { ...row, country: names.get(String(row.country_code)) ?? '' }
}
