import { noContent, ok } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { SandboxStore } from '../../store/store.ts'
import { objectBody } from '../../validation/body-checks.ts'
import { regionsOf } from '../themes/shown-theme.ts'
import { globalRegions } from '../themes/theme-files.ts'
import { readRegions } from './page-body.ts'
import {
  CONTENT_SCOPE,
  contextAt,
  layoutTemplateOf,
  type PlacedLayout,
  type PlacedRegion,
  type PlacedWidget,
  regionsIn,
  saveContext,
  type WidgetTarget,
} from './widget-tables.ts'
import { targetIn } from './widget-targets.ts'

const PATH = '/v3/content/page-widgets'

/** The regions that the theme has on this page, including empty ones, then any others with content. */
function snapshot({ store, query }: SandboxRequest): SandboxAnswer {
  const requested = (name: string) => query.get(name) ?? undefined
  const target = targetIn(store, {
    channel_id: requested('channel_id'),
    template_file: requested('template_file'),
    entity_id: requested('entity_id'),
  })
  const filled = regionsIn(contextAt(store, target))
  const empty = (regionNames(store, target) ?? [])
    .filter((name) => !filled.some((region) => region.name === name))
    .map((name): PlacedRegion => ({ name, children: [] }))
  const regions = [...empty, ...filled].map(({ name, children }) => ({
    name,
    children: children.map((child) => (child.type === 'layout' ? layoutShown(store, child) : widgetShown(child))),
  }))
  const one = { total: 1, count: 1, per_page: 50, current_page: 1, total_pages: 1, links: {} }
  return ok({ regions }, { pagination: one })
}

function regionNames(store: SandboxStore, { channel_id, template_file }: WidgetTarget): readonly string[] | undefined {
  if (template_file === '') return globalRegions()
  return regionsOf(store, channel_id, template_file)?.filter((name) => !globalRegions().includes(name))
}

function layoutShown(store: SandboxStore, { configuration, name, dropzones }: PlacedLayout) {
  return {
    layout_template_uuid: layoutTemplateOf(store),
    configuration,
    name,
    dropzones: dropzones.map((zone) => ({ configuration: zone.configuration, widgets: zone.widgets.map(widgetShown) })),
    type: 'layout',
  }
}

function widgetShown({ uuid: _uuid, placement_uuid: _placement, status: _status, ...widget }: PlacedWidget) {
  return widget
}

/** Replaces the whole content of the page. */
function publish({ store, body }: SandboxRequest): SandboxAnswer {
  const { channel_id, template_file, entity_id, regions } = objectBody(body)
  const target = targetIn(store, { channel_id, template_file, entity_id })
  const placed = readRegions(store, target, regions)
  store.transaction(() => saveContext(store, target, placed))
  return noContent()
}

export const pageWidgets: SandboxResource = {
  key: 'page-widgets',
  routes: [
    { method: 'GET', path: PATH, scope: CONTENT_SCOPE, latency: 'read', handle: snapshot },
    { method: 'POST', path: PATH, scope: CONTENT_SCOPE, latency: 'heavy', handle: publish },
  ],
}
