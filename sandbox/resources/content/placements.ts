import { noContent, notFound, ok, Refusal, refuse } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { SandboxStore } from '../../store/store.ts'
import { stableUuid } from '../../store/store-identity.ts'
import { objectBody, refuseIfAny } from '../../validation/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { everyPlacement, type Placement, placementShown } from './placement-rows.ts'
import { shownPage } from './shown-page.ts'
import {
  CONTENT_SCOPE,
  contextAt,
  looseWidgetTable,
  type PlacedRegion,
  type PlacedWidget,
  regionsIn,
  saveContext,
  type WidgetTarget,
} from './widget-tables.ts'
import { targetIn } from './widget-targets.ts'
import { withWidgets } from './widgets.ts'

const ALL = '/v3/content/placements'
const ONE = `${ALL}/:uuid`

/** A widget placed without a region gets a region below all others. */
const NO_REGION = ''

const RULES: FieldRules = {
  widget_uuid: { kind: 'text' },
  region: { kind: 'text', fallback: NO_REGION },
  sort_order: { kind: 'integer', fallback: 0 },
  status: { kind: 'text', oneOf: ['active', 'inactive'], fallback: 'inactive' },
}

function listPlacements(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const [file, widget] = [query.get('template_file'), query.get('widget_uuid')]
  const placed = everyPlacement(store).filter(
    ({ target, widget: { uuid } }) =>
      target.template_file === (file ?? target.template_file) && uuid === (widget ?? uuid),
  )
  const all = placed.map((one) => placementShown(store, one))
  return shownPage(request, all, (one) => one.widget as Record<string, unknown>)
}

function named({ store, params }: SandboxRequest): Placement {
  const found = everyPlacement(store).find(({ widget }) => widget.placement_uuid === params.uuid)
  if (!found) throw new Refusal(notFound())
  return found
}

/** The widget as it is placed. It may already be on another page. */
function widgetNamed(store: SandboxStore, uuid: string): PlacedWidget {
  const placed = everyPlacement(store).find(({ widget }) => widget.uuid === uuid)?.widget
  const loose = looseWidgetTable(store).find({ uuid })[0]
  const { configuration, storefront_api_query_params, widget_template_uuid, name, description } = (placed ??
    loose ??
    refuse(422, `There is no widget ${uuid}`, { widget_uuid: 'there is no such widget' })) as unknown as PlacedWidget
  const own = { configuration, storefront_api_query_params, widget_template_uuid, name, description }
  return { type: 'widget', uuid, placement_uuid: '', status: 'inactive', ...own }
}

function put(store: SandboxStore, target: WidgetTarget, region: string, at: number, widget: PlacedWidget): void {
  const before = regionsIn(contextAt(store, target))
  const own: PlacedRegion = before.find(({ name }) => name === region) ?? { name: region, children: [] }
  const children = [...own.children.slice(0, at), widget, ...own.children.slice(at)]
  saveContext(store, target, [...before.filter((one) => one !== own), { name: region, children }])
}

function take(store: SandboxStore, { target, widget }: Placement): void {
  const others = (widgets: PlacedWidget[]) => widgets.filter((one) => one.placement_uuid !== widget.placement_uuid)
  saveContext(
    store,
    target,
    regionsIn(contextAt(store, target)).map((region) => withWidgets(region, others)),
  )
}

function create(request: SandboxRequest): SandboxAnswer {
  const { store, body } = request
  const given = objectBody(body)
  const { values, errors } = readFields(RULES, given)
  refuseIfAny({ ...complaintsAboutMissing(['widget_uuid', 'template_file'], given), ...errors })
  const { channel_id, template_file, entity_id } = given
  const target = targetIn(store, { channel_id, template_file, entity_id })
  const widget = widgetNamed(store, String(values.widget_uuid))
  const beside = everyPlacement(store).filter(({ widget: { uuid } }) => uuid === widget.uuid).length
  const placement_uuid = stableUuid(`placement ${beside} of ${widget.uuid}`)
  const placed = { ...widget, placement_uuid, status: String(values.status ?? 'inactive') }
  store.transaction(() =>
    put(store, target, String(values.region ?? NO_REGION), Number(values.sort_order ?? 0), placed),
  )
  return ok(placementShown(store, named({ ...request, params: { uuid: placement_uuid } })))
}

/** Absent fields stay unchanged. */
function update(request: SandboxRequest): SandboxAnswer {
  const { store, body } = request
  const own = named(request)
  const given = objectBody(body)
  const { values, errors } = readFields(RULES, given)
  refuseIfAny(errors)
  const { channel_id, template_file, entity_id } = { ...own.target, ...given }
  const target = targetIn(store, { channel_id, template_file, entity_id })
  const { placement_uuid } = own.widget
  const other = values.widget_uuid === undefined ? own.widget : widgetNamed(store, String(values.widget_uuid))
  const placed = { ...other, placement_uuid, status: String(values.status ?? own.widget.status) }
  store.transaction(() => {
    take(store, own)
    put(store, target, String(values.region ?? own.region), Number(values.sort_order ?? own.sort_order), placed)
  })
  return ok(placementShown(store, named(request)))
}

function remove(request: SandboxRequest): SandboxAnswer {
  const own = named(request)
  request.store.transaction(() => take(request.store, own))
  return noContent()
}

const read = { method: 'GET', scope: CONTENT_SCOPE, latency: 'read' } as const

export const placements: SandboxResource = {
  key: 'placements',
  routes: [
    { ...read, path: ALL, handle: listPlacements },
    { method: 'POST', path: ALL, scope: CONTENT_SCOPE, latency: 'write', handle: create },
    { ...read, path: ONE, handle: (request) => ok(placementShown(request.store, named(request))) },
    { method: 'PUT', path: ONE, scope: CONTENT_SCOPE, latency: 'write', handle: update },
    { method: 'DELETE', path: ONE, scope: CONTENT_SCOPE, latency: 'write', handle: remove },
  ],
}
