import { noContent, ok, refuse } from '../../http/answers.ts'
import { booleanIn, list, numbersIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { priceTime } from '../../tables/price-tables.ts'
import { listBody, refuseIfAny } from '../../validation/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { channelsTable } from '../channels/channels.ts'
import { hasCustomTemplate } from '../themes/shown-theme.ts'
import { ENTITY_TYPES, type EntityType } from '../themes/theme-files.ts'
import { entityExists } from './widget-targets.ts'

const PATH = '/v3/storefront/custom-template-associations'
const SCOPE = 'store_themes_manage'

/** Source: the published specification, `maxItems`. */
const LARGEST_BATCH = 100

const FIELDS = ['channel_id', 'entity_type', 'entity_id', 'file_name'] as const

const RULES: FieldRules = {
  channel_id: { kind: 'integer', min: 1 },
  entity_type: { kind: 'text', oneOf: ENTITY_TYPES },
  entity_id: { kind: 'integer', min: 1 },
  file_name: { kind: 'text', min: 1, max: 255 },
}

export const associationTable = (store: SandboxStore): Table =>
  store.table('custom_template_associations', ['channel_id', 'entity_type', 'entity_id'])

export function insertAssociation(
  store: SandboxStore,
  fields: Record<(typeof FIELDS)[number], unknown>,
  moment = priceTime(),
): Row {
  return associationTable(store).insert({ ...fields, date_created: moment, date_modified: moment })
}

/** Judged by the theme that is active now, not by the one at the time of the write. */
function isValid(store: SandboxStore, { channel_id, entity_type, file_name }: Row): boolean {
  return hasCustomTemplate(store, Number(channel_id), String(entity_type), String(file_name))
}

function selection({ query }: SandboxRequest): Where {
  const channel = numbersIn(query, 'channel_id')
  const type = query.get('type')
  if (type !== null && !ENTITY_TYPES.includes(type as EntityType))
    refuse(422, `type must be of ${ENTITY_TYPES.join(', ')}`, { type: 'there is no such type' })
  const ids = numbersIn(query, 'entity_id:in')
  if (ids && type === null) refuse(422, 'entity_id:in goes with type', { 'entity_id:in': 'name the type too' })
  return {
    ...(channel && { channel_id: channel }),
    ...(type !== null && { entity_type: type }),
    ...(ids && { entity_id: ids }),
  }
}

function listAssociations(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const valid = booleanIn(query, 'is_valid')
  return list({
    query,
    table: associationTable(store),
    where: selection(request),
    ...(valid !== undefined && { keep: (row: Row) => isValid(store, row) === valid }),
    show: (row) => ({ ...row, is_valid: isValid(store, row) }),
    idFilters: false,
  })
}

/**
 * An item has just one template per channel, so a new one replaces the old. If one row is invalid, nothing is saved.
 */
function upsert({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = listBody(body)
  if (rows.length === 0 || rows.length > LARGEST_BATCH)
    refuse(422, `The body must be an array of 1 to ${LARGEST_BATCH} items`, { body: 'too few or too many items' })
  const errors: Record<string, string> = {}
  const read = rows.map((row, at) => {
    const { values, errors: own } = readFields(RULES, row)
    const found = { ...complaintsAboutMissing(FIELDS, row), ...own, ...complaintsAboutNames(store, values) }
    for (const [field, message] of Object.entries(found)) errors[`${at}.${field}`] = message
    return values as Record<(typeof FIELDS)[number], string | number>
  })
  refuseIfAny(errors)
  store.transaction(() => {
    for (const values of read) save(store, values)
  })
  return ok({})
}

function complaintsAboutNames(store: SandboxStore, values: Record<string, unknown>): Record<string, string> {
  const { channel_id, entity_type, entity_id } = values
  const errors: Record<string, string> = {}
  if (channel_id !== undefined && !channelsTable(store).get(Number(channel_id))) errors.channel_id = 'no such channel'
  const type = ENTITY_TYPES.find((one) => one === entity_type)
  if (type && entity_id !== undefined && !entityExists(store, type, Number(entity_id)))
    errors.entity_id = `no such ${type}`
  return errors
}

function save(store: SandboxStore, values: Record<(typeof FIELDS)[number], string | number>): void {
  const { channel_id, entity_type, entity_id, file_name } = values
  const before = associationTable(store).find({ channel_id, entity_type, entity_id })[0]
  if (before) associationTable(store).update(before.id, { file_name, date_modified: priceTime() })
  else insertAssociation(store, values)
}

function remove(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const ids = numbersIn(query, 'id:in')
  const where = { ...selection(request), ...(ids && { id: ids }) }
  if (Object.keys(where).length === 0) refuse(422, 'At least one filter is required', { filter: 'required' })
  store.transaction(() => {
    for (const { id } of associationTable(store).find(where)) associationTable(store).delete(id)
  })
  return noContent()
}

export const customTemplateAssociations: SandboxResource = {
  key: 'custom-template-associations',
  routes: [
    { method: 'GET', path: PATH, scope: SCOPE, latency: 'read', handle: listAssociations },
    { method: 'PUT', path: PATH, scope: SCOPE, latency: 'write', handle: upsert },
    { method: 'DELETE', path: PATH, scope: SCOPE, latency: 'write', handle: remove },
  ],
}
