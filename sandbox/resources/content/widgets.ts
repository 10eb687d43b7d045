import { noContent, notFound, ok, Refusal } from '../../http/answers.ts'
import { textsIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { SandboxStore } from '../../store/store.ts'
import { stableUuid } from '../../store/store-identity.ts'
import { priceTime } from '../../tables/price-tables.ts'
import { objectBody, refuseIfAny } from '../../validation/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { DEFAULT_CHANNEL_ID } from '../channels/channels.ts'
import { everyWidget, targetOf } from './placement-rows.ts'
import { shownPage } from './shown-page.ts'
import {
  CONTENT_SCOPE,
  everyContext,
  looseWidgetTable,
  type PlacedRegion,
  type PlacedWidget,
  regionsIn,
  saveContext,
  templateOn,
  widgetsIn,
} from './widget-tables.ts'
import { refuseUnknownChannel } from './widget-targets.ts'

const ALL = '/v3/content/widgets'
const ONE = `${ALL}/:uuid`

const RULES: FieldRules = {
  name: { kind: 'text', min: 1, max: 255 },
  description: { kind: 'text' },
  widget_template_uuid: { kind: 'text' },
  channel_id: { kind: 'integer', min: 1 },
}

function listWidgets(request: SandboxRequest): SandboxAnswer {
  const names = request.query.has('name') ? [String(request.query.get('name'))] : textsIn(request.query, 'name:in')
  const all = everyWidget(request.store).filter(({ name }) => names?.includes(String(name)) ?? true)
  return shownPage(request, all, (one) => one)
}

function named({ store, params }: SandboxRequest): Record<string, unknown> {
  const found = everyWidget(store).find(({ uuid }) => uuid === params.uuid)
  if (!found) throw new Refusal(notFound())
  return found
}

function fieldsIn(store: SandboxStore, body: unknown, channelId?: number) {
  const given = objectBody(body)
  const { values, errors } = readFields(RULES, given)
  const { widget_configuration: configuration } = given
  if (configuration !== undefined && (configuration === null || typeof configuration !== 'object'))
    errors.widget_configuration = 'widget_configuration must be an object'
  const channel = Number(values.channel_id ?? channelId ?? DEFAULT_CHANNEL_ID)
  refuseUnknownChannel(store, channel)
  if (values.widget_template_uuid !== undefined && !templateOn(store, values.widget_template_uuid, channel))
    errors.widget_template_uuid = 'there is no such widget template'
  const { channel_id: _channel, ...rest } = values
  const placed = configuration === undefined ? {} : { configuration: configuration as Record<string, unknown> }
  return { given, errors, channel, values: { ...rest, ...placed } }
}

function create({ store, body }: SandboxRequest): SandboxAnswer {
  const { given, values, errors, channel } = fieldsIn(store, body)
  refuseIfAny({ ...complaintsAboutMissing(['name', 'widget_template_uuid'], given), ...errors })
  const uuid = stableUuid(`${store.hash} widget ${looseWidgetTable(store).nextId()}`)
  const moment = priceTime()
  looseWidgetTable(store).insert({
    ...{ uuid, name: '', description: '', configuration: {}, storefront_api_query_params: {} },
    ...values,
    ...{ channel_id: channel, date_created: moment, date_modified: moment },
  })
  return ok(everyWidget(store).find((one) => one.uuid === uuid))
}

/** Changes the widget wherever it is placed. */
function update(request: SandboxRequest): SandboxAnswer {
  const { store, body } = request
  const own = named(request)
  const { values, errors } = fieldsIn(store, body, Number(own.channel_id))
  refuseIfAny(errors)
  store.transaction(() => {
    for (const row of looseWidgetTable(store).find({ uuid: String(own.uuid) }))
      looseWidgetTable(store).update(row.id, { ...values, date_modified: priceTime() })
    everywhere(store, String(own.uuid), (widget) => [{ ...widget, ...values }])
  })
  return ok(named(request))
}

function remove(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const own = named(request)
  store.transaction(() => {
    for (const row of looseWidgetTable(store).find({ uuid: String(own.uuid) })) looseWidgetTable(store).delete(row.id)
    everywhere(store, String(own.uuid), () => [])
  })
  return noContent()
}

function everywhere(store: SandboxStore, uuid: string, change: (widget: PlacedWidget) => PlacedWidget[]): void {
  for (const row of everyContext(store)) {
    if (!widgetsIn(regionsIn(row)).some((widget) => widget.uuid === uuid)) continue
    const changed = (widgets: PlacedWidget[]) => widgets.flatMap((one) => (one.uuid === uuid ? change(one) : [one]))
    saveContext(
      store,
      targetOf(row),
      regionsIn(row).map((region) => withWidgets(region, changed)),
    )
  }
}

export function withWidgets(
  { name, children }: PlacedRegion,
  changed: (widgets: PlacedWidget[]) => PlacedWidget[],
): PlacedRegion {
  return {
    name,
    children: children.flatMap((child): PlacedRegion['children'] =>
      child.type === 'widget'
        ? changed([child])
        : [{ ...child, dropzones: child.dropzones.map((zone) => ({ ...zone, widgets: changed(zone.widgets) })) }],
    ),
  }
}

const read = { method: 'GET', scope: CONTENT_SCOPE, latency: 'read' } as const

export const widgets: SandboxResource = {
  key: 'widgets',
  routes: [
    { ...read, path: ALL, handle: listWidgets },
    { method: 'POST', path: ALL, scope: CONTENT_SCOPE, latency: 'write', handle: create },
    { ...read, path: ONE, handle: (request) => ok(named(request)) },
    { method: 'PUT', path: ONE, scope: CONTENT_SCOPE, latency: 'write', handle: update },
    { method: 'DELETE', path: ONE, scope: CONTENT_SCOPE, latency: 'write', handle: remove },
  ],
}
