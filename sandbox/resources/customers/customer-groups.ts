import { noContent, Refusal, v2Error } from '../../http/answers.ts'
import { booleanIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { v2PageOf } from '../../http/v2-page.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { CUSTOMER_SCOPE as SCOPE } from '../../tables/customer-tables.ts'
import { customerGroupTable, deleteGroup, groupTime, insertGroup, keepOneOfEach } from '../../tables/group-tables.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { complaintAboutRules, ruleRow } from './discount-rules.ts'

type Body = Record<string, unknown>

const GROUPS = '/v2/customer_groups'
const GROUP = `${GROUPS}/:customerGroupId`

/** Source: "concurrent requests" of this endpoint in the published v2 customers specification. */
const CAP = 40

const RULES: FieldRules = {
  name: { kind: 'text', min: 1, max: 255 },
  is_default: { kind: 'boolean' },
  is_group_for_guests: { kind: 'boolean' },
}

/**
 * A new group with this in its name is saved without its sitewide discount, with a 207. An update then saves the
 * discount.
 */
export const LATE_DISCOUNT = '[[late-discount]]'

function refuse(status: number, message: string): never {
  throw new Refusal(v2Error(status, message))
}

function bodyOf(body: unknown): Body {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) refuse(400, 'The body must be an object.')
  return body as Body
}

function readGroup(store: SandboxStore, given: Body, own?: Row): Body {
  const { values, errors } = readFields(RULES, given)
  const complaints = Object.values({ ...(own ? {} : complaintsAboutMissing(['name'], given)), ...errors })
  if (complaints.length > 0) refuse(400, complaints.join('; '))
  const { discount_rules, category_access } = given
  if (discount_rules !== undefined) values.discount_rules = rulesIn(store, discount_rules)
  if (category_access !== undefined) values.category_access = accessIn(category_access)
  return values
}

function rulesIn(store: SandboxStore, rules: unknown): Body[] {
  const complaint = complaintAboutRules(store, rules)
  if (complaint) refuse(400, complaint)
  return (rules as Body[]).map(ruleRow)
}

/** Only the type `specific` has a list of categories. */
function accessIn(access: unknown): Body {
  const { type, categories = [] } = bodyOf(access)
  if (!['all', 'specific', 'none'].includes(String(type)))
    refuse(400, 'category_access.type must be all, specific or none')
  if (type !== 'specific') return { type }
  if (!Array.isArray(categories) || !categories.every(Number.isInteger))
    refuse(400, 'category_access.categories must be an array of ids')
  return { type, categories }
}

function refuseTakenName(store: SandboxStore, name: unknown, own?: Row): void {
  if (name === undefined || store.switches.duplicate_group_names === true) return
  const holder = customerGroupTable(store).find({ name_key: String(name) })[0]
  if (holder && holder.id !== own?.id) refuse(409, `A customer group named ${name} exists already.`)
}

function save(request: SandboxRequest, own?: Row): SandboxAnswer {
  const { store } = request
  const values = readGroup(store, bodyOf(request.body), own)
  refuseTakenName(store, values.name, own)
  const rules = (values.discount_rules ?? []) as Body[]
  const forgets = !own && String(values.name).includes(LATE_DISCOUNT) && rules.some(({ type }) => type === 'all')
  if (forgets) values.discount_rules = rules.filter(({ type }) => type !== 'all')
  const row = store.transaction(() =>
    keepOneOfEach(
      store,
      own
        ? customerGroupTable(store).update(own.id, { ...values, date_modified: groupTime() })
        : insertGroup(store, values),
    ),
  )
  if (!forgets) return { status: 200, body: shown(store, row) }
  return {
    status: 207,
    body: { status: 207, message: 'The group was created, but its sitewide discount was not saved.' },
  }
}

/** Seen on real stores: ids in rules are strings. */
function shown(store: SandboxStore, row: Row): Body {
  if (store.switches.normalised_answers !== true) return row
  const rules = ((row.discount_rules ?? []) as Body[]).map((rule) =>
    Object.fromEntries(
      Object.entries(rule).map(([field, value]) => [field, field.endsWith('_id') ? String(value) : value]),
    ),
  )
  return { ...row, discount_rules: rules }
}

function named({ store, params }: SandboxRequest): Row {
  return (
    customerGroupTable(store).get(Number(params.customerGroupId)) ?? refuse(404, 'The customer group is not found.')
  )
}

function removeOne(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const own = named(request)
  store.transaction(() => deleteGroup(store, own.id))
  return noContent()
}

/** v2 lists are bare arrays, and an empty page has no body. There are few groups, so all of them are read. */
function listGroups(request: SandboxRequest): SandboxAnswer {
  const { offset, limit } = v2PageOf(request.query)
  const rows = found(request)
    .slice(offset, offset + limit)
    .map((row) => shown(request.store, row))
  return rows.length === 0 ? noContent() : { status: 200, body: rows }
}

function countGroups(request: SandboxRequest): SandboxAnswer {
  return { status: 200, body: { count: found(request).length } }
}

function found({ store, query }: SandboxRequest): Row[] {
  const name = query.get('name')
  const like = query.get('name:like')?.toLowerCase()
  const rows = customerGroupTable(store).find(name === null ? {} : { name_key: name })
  return rows.filter(
    (row) =>
      (like === undefined || String(row.name).toLowerCase().includes(like)) &&
      flagsAgree(query, row) &&
      datesAgree(query, row),
  )
}

function flagsAgree(query: URLSearchParams, row: Row): boolean {
  return ['is_default', 'is_group_for_guests'].every((flag) => {
    const requested = booleanIn(query, flag)
    return requested === undefined || row[flag] === requested
  })
}

function datesAgree(query: URLSearchParams, row: Row): boolean {
  return ['date_created', 'date_modified'].every((field) => {
    const moment = momentOf(String(row[field]))
    return (
      holds(query, field, (bound) => moment === bound) &&
      holds(query, `${field}:min`, (bound) => moment >= bound) &&
      holds(query, `${field}:max`, (bound) => moment <= bound)
    )
  })
}

function holds(query: URLSearchParams, filter: string, agrees: (bound: number) => boolean): boolean {
  const text = query.get(filter)
  if (text === null) return true
  const bound = momentOf(text)
  if (Number.isNaN(bound)) refuse(400, `The filter ${filter} is no date: ${text}`)
  return agrees(bound)
}

/** A time without a zone is in UTC. */
function momentOf(text: string): number {
  return Date.parse(/\d:\d/.test(text) && !/(Z|[+-]\d\d:?\d\d)$/.test(text) ? `${text.replace(' ', 'T')}Z` : text)
}

const read = { scope: SCOPE, latency: 'read', cap: CAP } as const
const write = { scope: SCOPE, latency: 'write', cap: CAP } as const

export const customerGroups: SandboxResource = {
  key: 'customer-groups',
  routes: [
    { method: 'GET', path: GROUPS, ...read, handle: listGroups },
    { method: 'POST', path: GROUPS, ...write, handle: (request) => save(request) },
    { method: 'GET', path: `${GROUPS}/count`, ...read, handle: countGroups },
    {
      method: 'GET',
      path: GROUP,
      ...read,
      handle: (request) => ({ status: 200, body: shown(request.store, named(request)) }),
    },
    { method: 'PUT', path: GROUP, ...write, handle: (request) => save(request, named(request)) },
    { method: 'DELETE', path: GROUP, ...write, handle: removeOne },
  ],
}
