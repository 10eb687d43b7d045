import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { stableUuid } from '../../store/store-identity.ts'
import { priceTime } from '../../tables/price-tables.ts'

export const CONTENT_SCOPE = 'store_v2_content'

export const widgetTemplateTable = (store: SandboxStore): Table =>
  store.table('widget_templates', ['uuid', 'kind', 'channel_id'])
/** Widgets that were created by themselves and are not on any page. */
export const looseWidgetTable = (store: SandboxStore): Table => store.table('widgets', ['uuid', 'channel_id'])
/** The content of pages, one row for each channel, template file and item. */
const pageContextTable = (store: SandboxStore): Table =>
  store.table('page_contexts', ['channel_id', 'template_file', 'entity_id'])
/** The content that appears on all pages of a channel. */
const globalContextTable = (store: SandboxStore): Table =>
  store.table('global_contexts', ['channel_id', 'template_file', 'entity_id'])

function contextTable(store: SandboxStore, { template_file }: WidgetTarget): Table {
  return template_file === '' ? globalContextTable(store) : pageContextTable(store)
}

export function everyContext(store: SandboxStore): Row[] {
  return [...pageContextTable(store).find({}), ...globalContextTable(store).find({})]
}

/** The platform's own templates for Page Builder. Names and kinds are the same in every store; UUIDs are not. */
const BUILT_IN: readonly [name: string, kind: string][] = [
  ['Hero Banner', 'hero-banner'],
  ['Product', 'product'],
  ['Product Set', 'product-set'],
  ['Category', 'category'],
  ['Brand', 'brand'],
  ['Image', 'image'],
  ['Text', 'text'],
  ['Button', 'button'],
]

/** Fixed, so that it is the same in every store. */
export const MOMENT = '2024-02-29T12:00:00Z'
export const PLANTED = { date_created: MOMENT, date_modified: MOMENT }

export function plantBuiltInTemplates(store: SandboxStore): void {
  for (const [name, kind] of BUILT_IN) {
    const uuid = stableUuid(`${store.hash} built-in ${kind}`)
    const template = `<div class="${kind}">{{name}}</div>`
    insertTemplate(store, { name, kind, template, channel_id: null, ...PLANTED }, uuid)
  }
}

export function insertTemplate(store: SandboxStore, fields: Record<string, unknown>, uuid?: string): Row {
  const table = widgetTemplateTable(store)
  const own = uuid ?? stableUuid(`${store.hash} widget template ${table.nextId()}`)
  const moment = priceTime()
  return table.insert({
    uuid: own,
    name: '',
    kind: 'custom',
    schema: [],
    template: '',
    storefront_api_query: '',
    icon_name: 'default',
    // Only the platform sets these two. Source: the examples of the published widgets file.
    client_rerender: false,
    template_engine: 'handlebars_v3',
    current_version_uuid: stableUuid(`${own} version 1`),
    date_created: moment,
    date_modified: moment,
    ...fields,
  })
}

export function templateShown({ id: _id, channel_id: _channel, ...row }: Row): Record<string, unknown> {
  return row
}

/** A template that can be used on a channel: one of the platform's, or one created for that channel. */
export function templateOn(store: SandboxStore, uuid: unknown, channelId: number): Row | undefined {
  const found = widgetTemplateTable(store).find({ uuid: String(uuid) })[0]
  return found && (found.channel_id === null || found.channel_id === channelId) ? found : undefined
}

/** Every store has the same layout template, with a different UUID. */
export function layoutTemplateOf({ hash }: SandboxStore): string {
  return stableUuid(`${hash} layout template`)
}

export interface PlacedWidget {
  type: 'widget'
  uuid: string
  placement_uuid: string
  status: string
  widget_template_uuid: string
  configuration: Record<string, unknown>
  storefront_api_query_params: Record<string, unknown>
  name: string
  description: string
}

export interface PlacedLayout {
  type: 'layout'
  configuration: Record<string, unknown>
  name: string
  dropzones: { configuration: Record<string, unknown>; widgets: PlacedWidget[] }[]
}

export interface PlacedRegion {
  name: string
  children: (PlacedLayout | PlacedWidget)[]
}

/** The key of a position. '' means every page of the file, or the whole channel. */
export interface WidgetTarget {
  channel_id: number
  template_file: string
  entity_id: string
}

export function contextAt(store: SandboxStore, target: WidgetTarget): Row | undefined {
  const { channel_id, template_file, entity_id } = target
  return contextTable(store, target).find({ channel_id, template_file, entity_id })[0]
}

export function regionsIn(context: Row | undefined): PlacedRegion[] {
  // Only the sandbox writes this field.
  return (context?.regions ?? []) as PlacedRegion[]
}

export function widgetsIn(regions: readonly PlacedRegion[]): PlacedWidget[] {
  return regions.flatMap(({ children }) =>
    children.flatMap((child) =>
      child.type === 'widget' ? [child] : child.dropzones.flatMap(({ widgets }) => widgets),
    ),
  )
}

/** Replaces the content. Without any content the row is deleted. */
export function saveContext(
  store: SandboxStore,
  target: WidgetTarget,
  regions: readonly PlacedRegion[],
  moment = priceTime(),
): void {
  const table = contextTable(store, target)
  const before = contextAt(store, target)
  const filled = regions.filter(({ children }) => children.length > 0)
  if (filled.length === 0) {
    if (before) table.delete(before.id)
    return
  }
  if (before) table.update(before.id, { regions: filled, date_modified: moment })
  else table.insert({ ...target, regions: filled, date_created: moment, date_modified: moment })
}
