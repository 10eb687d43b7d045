import { refuse } from '../../http/answers.ts'
import type { SandboxStore } from '../../store/store.ts'
import { stableUuid } from '../../store/store-identity.ts'
import {
  type PlacedLayout,
  type PlacedRegion,
  type PlacedWidget,
  templateOn,
  type WidgetTarget,
  widgetsIn,
} from './widget-tables.ts'

type Body = Record<string, unknown>

/** Source: Page widgets, limits per page. */
const MOST_WIDGETS = 150
const MOST_LAYOUTS = 150

/** The content that a request puts on a page. If any part is invalid, nothing is saved. */
export function readRegions(store: SandboxStore, target: WidgetTarget, given: unknown): PlacedRegion[] {
  const reader = new RegionReader(store, target)
  const regions = listIn({ regions: given }, 'regions', '').map((region, at) => reader.region(region, at))
  const names = regions.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) wrong('regions', `the region ${twice} is there twice`)
  const layouts = regions.flatMap(({ children }) => children).filter(({ type }) => type === 'layout')
  if (layouts.length > MOST_LAYOUTS) wrong('regions', `a page takes at most ${MOST_LAYOUTS} layouts`)
  if (widgetsIn(regions).length > MOST_WIDGETS) wrong('regions', `a page takes at most ${MOST_WIDGETS} widgets`)
  return regions
}

function wrong(field: string, message: string): never {
  refuse(422, message, { [field]: message })
}

class RegionReader {
  private readonly store: SandboxStore
  private readonly target: WidgetTarget
  private placed = 0

  constructor(store: SandboxStore, target: WidgetTarget) {
    this.store = store
    this.target = target
  }

  region(region: Body, at: number): PlacedRegion {
    const path = `regions.${at}`
    if (typeof region.name !== 'string' || region.name === '') wrong(`${path}.name`, 'name is required')
    const children = listIn(region, 'children', path).flatMap((child, n) => this.child(child, `${path}.children.${n}`))
    return { name: String(region.name), children }
  }

  private child(child: Body, path: string): (PlacedLayout | PlacedWidget)[] {
    if (child.type === 'layout') return [this.layout(child, path)]
    if (child.type === 'widget') return this.widget(child, path)
    return wrong(`${path}.type`, 'type must be layout or widget')
  }

  /** The platform sets the template of a layout and ignores the one in the body. */
  private layout(layout: Body, path: string): PlacedLayout {
    const dropzones = listIn(layout, 'dropzones', path).map((zone, n) => ({
      configuration: objectIn(zone, 'configuration', `${path}.dropzones.${n}`),
      widgets: listIn(zone, 'widgets', `${path}.dropzones.${n}`).flatMap((widget, w) =>
        this.widget(widget, `${path}.dropzones.${n}.widgets.${w}`),
      ),
    }))
    const configuration = objectIn(layout, 'configuration', path)
    return { type: 'layout', configuration, name: textIn(layout, 'name', path), dropzones }
  }

  /** The answer for an unknown template is not documented: see the switch `unknown_widget_template`. */
  private widget(widget: Body, path: string): PlacedWidget[] {
    const { channel_id, template_file, entity_id } = this.target
    const template = templateOn(this.store, widget.widget_template_uuid, channel_id)
    if (!template) {
      if (this.store.switches.unknown_widget_template === 'leave_out') return []
      wrong(`${path}.widget_template_uuid`, `there is no widget template ${String(widget.widget_template_uuid)}`)
    }
    const uuid = stableUuid(`${this.store.hash}/${channel_id}/${template_file}/${entity_id}/${this.placed++}`)
    return [
      {
        type: 'widget',
        uuid,
        placement_uuid: stableUuid(`placement of ${uuid}`),
        status: 'active',
        widget_template_uuid: String(template.uuid),
        configuration: objectIn(widget, 'configuration', path),
        storefront_api_query_params: objectIn(widget, 'storefront_api_query_params', path),
        name: textIn(widget, 'name', path),
        description: textIn(widget, 'description', path),
      },
    ]
  }
}

function listIn(body: Body, field: string, path: string): Body[] {
  const list = body[field]
  const target = path === '' ? field : `${path}.${field}`
  if (!Array.isArray(list)) return wrong(target, `${field} must be an array`)
  return (list as unknown[]).map((one, at) =>
    isObject(one) ? one : wrong(`${target}.${at}`, `${field} must be an array of objects`),
  )
}

/** PHP encodes an empty object as an empty list. */
function objectIn(body: Body, field: string, path: string): Body {
  const value = body[field] ?? {}
  if (Array.isArray(value) && value.length === 0) return {}
  return isObject(value) ? value : wrong(`${path}.${field}`, `${field} must be an object`)
}

function textIn(body: Body, field: string, path: string): string {
  const value = body[field] ?? ''
  return typeof value === 'string' ? value : wrong(`${path}.${field}`, `${field} must be a text`)
}

function isObject(value: unknown): value is Body {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
