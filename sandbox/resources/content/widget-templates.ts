import { noContent, notFound, ok, Refusal, refuse } from '../../http/answers.ts'
import { list, numbersIn, type Where } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { stableUuid } from '../../store/store-identity.ts'
import { priceTime } from '../../tables/price-tables.ts'
import { objectBody, refuseIfAny } from '../../validation/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { DEFAULT_CHANNEL_ID } from '../channels/channels.ts'
import {
  CONTENT_SCOPE,
  everyContext,
  insertTemplate,
  looseWidgetTable,
  regionsIn,
  templateShown,
  widgetsIn,
  widgetTemplateTable,
} from './widget-tables.ts'
import { refuseUnknownChannel } from './widget-targets.ts'

const ALL = '/v3/content/widget-templates'
const ONE = `${ALL}/:uuid`

const RULES: FieldRules = {
  name: { kind: 'text', min: 1, max: 255 },
  template: { kind: 'text' },
  storefront_api_query: { kind: 'text' },
  channel_id: { kind: 'integer', min: 1 },
  create_new_version: { kind: 'boolean' },
}

/** The platform's own templates are on every channel. */
function listTemplates({ store, query }: SandboxRequest): SandboxAnswer {
  const channels = numbersIn(query, 'channel_id:in')
  const kind = query.get('widget_template_kind')
  const keep = ({ channel_id }: Row) =>
    channels === undefined || channel_id === null || channels.includes(Number(channel_id))
  const where: Where = kind === null ? {} : { kind }
  return list({ query, table: widgetTemplateTable(store), where, keep, show: templateShown, idFilters: false })
}

function named({ store, params }: SandboxRequest): Row {
  const found = widgetTemplateTable(store).find({ uuid: String(params.uuid) })[0]
  if (!found) throw new Refusal(notFound())
  return found
}

function fieldsIn(store: SandboxStore, body: unknown) {
  const given = objectBody(body)
  const { values, errors } = readFields(RULES, given)
  if (given.schema !== undefined && !Array.isArray(given.schema)) errors.schema = 'schema must be an array'
  if (given.schema !== undefined) values.schema = given.schema
  if (values.channel_id !== undefined) refuseUnknownChannel(store, Number(values.channel_id))
  return { given, values, errors }
}

function create({ store, body }: SandboxRequest): SandboxAnswer {
  const { given, values, errors } = fieldsIn(store, body)
  refuseIfAny({ ...complaintsAboutMissing(['name', 'template'], given), ...errors })
  const { create_new_version: _first, ...fields } = values
  return ok(templateShown(insertTemplate(store, { channel_id: DEFAULT_CHANNEL_ID, ...fields })))
}

/** The platform's own templates cannot be changed. An update creates a new version of the same template. */
function update(request: SandboxRequest): SandboxAnswer {
  const own = changeable(request)
  const { values, errors } = fieldsIn(request.store, request.body)
  refuseIfAny(errors)
  const moment = priceTime()
  const { create_new_version: anew, ...fields } = values
  const version = anew === true && {
    current_version_uuid: stableUuid(`${own.uuid} after ${own.current_version_uuid}`),
  }
  return ok(
    templateShown(widgetTemplateTable(request.store).update(own.id, { ...fields, ...version, date_modified: moment })),
  )
}

function changeable(request: SandboxRequest): Row {
  const own = named(request)
  if (own.kind !== 'custom') refuse(422, 'This widget template is provided by the platform', { uuid: 'read only' })
  return own
}

/** Our choice, because the sources do not say: a template in use cannot be deleted. */
function remove(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const own = changeable(request)
  const placed = everyContext(store).flatMap((row) => widgetsIn(regionsIn(row)))
  const used = [...placed, ...looseWidgetTable(store).find({})].some((one) => one.widget_template_uuid === own.uuid)
  if (used) refuse(422, 'The widget template is in use', { uuid: 'widgets are made of it' })
  widgetTemplateTable(store).delete(own.id)
  return noContent()
}

const read = { method: 'GET', scope: CONTENT_SCOPE, latency: 'read' } as const

export const widgetTemplates: SandboxResource = {
  key: 'widget-templates',
  routes: [
    { ...read, path: ALL, handle: listTemplates },
    { method: 'POST', path: ALL, scope: CONTENT_SCOPE, latency: 'write', handle: create },
    { ...read, path: ONE, handle: (request) => ok(templateShown(named(request))) },
    { method: 'PUT', path: ONE, scope: CONTENT_SCOPE, latency: 'write', handle: update },
    { method: 'DELETE', path: ONE, scope: CONTENT_SCOPE, latency: 'write', handle: remove },
  ],
}
