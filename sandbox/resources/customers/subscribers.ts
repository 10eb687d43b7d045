import { noContent, ok, refuse } from '../../http/answers.ts'
import { list, numbersIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { customerTime, CUSTOMER_SCOPE as SCOPE, subscriberTable } from '../../tables/customer-tables.ts'
import { numberParam, objectBody, refuseIfAny, rowOr404 } from '../../validation/body-checks.ts'
import { DATE_PARAMETERS, isWithinDates } from '../../validation/date-filters.ts'
import { complaintsAboutMissing, type FieldRules, readFields, withFallbacks } from '../../validation/field-rules.ts'

const ALL = '/v3/customers/subscribers'
const ONE = `${ALL}/:subscriberId`

const CONSENTS = ['marketing_newsletter', 'abandoned_cart']

/** Source: `subscriber_Base` of the published subscribers specification. */
const RULES: FieldRules = {
  email: { kind: 'text', min: 3 },
  first_name: { kind: 'text', max: 255, fallback: '' },
  last_name: { kind: 'text', max: 255, fallback: '' },
  source: { kind: 'text', max: 255, fallback: 'custom' },
  order_id: { kind: 'integer', min: 1, nullable: true, fallback: null },
  channel_id: { kind: 'integer', min: 1, fallback: 1 },
  consents: { kind: 'texts', fallback: ['marketing_newsletter'] },
}

/** `keep` is undefined if no filter needs it. */
function selection({ query }: SandboxRequest): { where: Where; keep?: (row: Row) => boolean } {
  const email = query.get('email')
  const source = query.get('source')
  const orders = numbersIn(query, 'order_id')
  const names = ['first_name', 'last_name'].filter((name) => query.has(name))
  const dates = DATE_PARAMETERS.some((name) => query.has(name))
  const where: Where = {
    ...(email === null ? {} : { email_key: email }),
    ...(source === null ? {} : { source }),
    ...(orders ? { order_id: orders } : {}),
  }
  if (names.length === 0 && !dates) return { where }
  const fits = (row: Row) => names.every((name) => String(row[name]).toLowerCase() === query.get(name)?.toLowerCase())
  return { where, keep: (row) => fits(row) && isWithinDates(row, query) }
}

function listSubscribers(request: SandboxRequest): SandboxAnswer {
  return list({ query: request.query, table: subscriberTable(request.store), ...selection(request) })
}

function named(request: SandboxRequest): Row {
  return rowOr404(subscriberTable(request.store), numberParam(request, 'subscriberId'))
}

/** An email address can subscribe once per channel. */
function refuseTaken(store: SandboxStore, { email, channel_id }: Record<string, unknown>, ownId?: number): void {
  const holder = subscriberTable(store).find({ email_key: String(email), channel_id: Number(channel_id) })[0]
  if (holder && holder.id !== ownId) refuse(409, 'The subscriber is a duplicate', { email: 'email is already used' })
}

function save({ store, body }: SandboxRequest, own?: Row): SandboxAnswer {
  const given = objectBody(body)
  const { values, errors } = readFields(RULES, given)
  const consents = (values.consents ?? []) as string[]
  if (consents.some((consent) => !CONSENTS.includes(consent)))
    errors.consents = `consents must be of ${CONSENTS.join(', ')}`
  refuseIfAny({ ...(own ? {} : complaintsAboutMissing(['email'], given)), ...errors })
  const row = own ? { ...own, ...values } : withFallbacks(RULES, values)
  refuseTaken(store, row, own?.id)
  const table = subscriberTable(store)
  if (own) return ok(table.update(own.id, { ...values, date_modified: customerTime() }))
  return ok(table.insert({ ...row, date_created: customerTime(), date_modified: customerTime() }))
}

/** Without a filter all subscribers are deleted, as the documentation warns. */
function removeMany(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const { where, keep } = selection(request)
  const table = subscriberTable(store)
  store.transaction(() => {
    for (const row of table.find(where)) if (!keep || keep(row)) table.delete(row.id)
  })
  return noContent()
}

function removeOne(request: SandboxRequest): SandboxAnswer {
  subscriberTable(request.store).delete(numberParam(request, 'subscriberId'))
  return noContent()
}

const read = { method: 'GET', scope: SCOPE, latency: 'read' } as const

export const subscribers: SandboxResource = {
  key: 'subscribers',
  routes: [
    { ...read, path: ALL, handle: listSubscribers },
    { method: 'POST', path: ALL, scope: SCOPE, latency: 'write', handle: (request) => save(request) },
    { method: 'DELETE', path: ALL, scope: SCOPE, latency: 'write', handle: removeMany },
    { ...read, path: ONE, handle: (request) => ok(named(request)) },
    { method: 'PUT', path: ONE, scope: SCOPE, latency: 'write', handle: (request) => save(request, named(request)) },
    { method: 'DELETE', path: ONE, scope: SCOPE, latency: 'write', handle: removeOne },
  ],
}
