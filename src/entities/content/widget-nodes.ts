import type { PlatformItem } from '../core/draft.ts'
import { linked } from '../core/links.ts'
import type { References } from '../core/references.ts'
import { widgetTemplatesKey } from './widget-templates.ts'

/**
 * Widget settings that refer to an item, whatever the widget: `productId`, `category_id`, `brandIds`,
 * `productEntityIds`. Anyone can write a widget, so the name of a setting is the only clue to what its value means.
 */
const namesItem = /^(product|category|brand|page)(?:Entity)?_?ids?$/i

const components: Record<string, string> = {
  product: 'products',
  category: 'categories',
  brand: 'brands',
  page: 'pages',
}

/**
 * Regions as the destination needs them, in the same order: templates, items and links with the destination's ids and
 * addresses.
 */
export function translateRegions(regions: unknown, references: References): PlatformItem[] {
  return listOf(regions)
    .map((region) => ({
      ...region,
      children: listOf(region.children).flatMap((child) =>
        child.type === 'layout' ? [translateLayout(child, references)] : translateWidget(child, references),
      ),
    }))
    .filter(({ children }) => children.length > 0)
}

/** The layout template id is read-only: the platform sets it. Source: Page widgets, read-only fields. */
function translateLayout(layout: PlatformItem, references: References): PlatformItem {
  const { layout_template_uuid: _uuid, dropzones, ...rest } = layout
  return {
    ...translateSettings(rest, references),
    dropzones: listOf(dropzones).map(({ widgets, ...zone }) => ({
      ...translateSettings(zone, references),
      widgets: listOf(widgets).flatMap((widget) => translateWidget(widget, references)),
    })),
  }
}

/** A widget cannot exist without its template, so it is left out until the template exists. */
function translateWidget(widget: PlatformItem, references: References): PlatformItem[] {
  const { widget_template_uuid, ...rest } = widget
  const template = references.wantText(widgetTemplatesKey, widget_template_uuid)
  if (template === undefined) return []
  return [{ ...translateSettings(rest, references), widget_template_uuid: template }]
}

function translateSettings(settings: PlatformItem, references: References): PlatformItem {
  return Object.fromEntries(
    Object.entries(settings)
      .map(([name, value]) => [name, translateSetting(name, value, references)] as const)
      .filter(([, value]) => value !== undefined),
  )
}

function translateSetting(name: string, value: unknown, references: References): unknown {
  const kind = namesItem.exec(name)?.[1]?.toLowerCase()
  const of = kind === undefined ? undefined : components[kind]
  if (of && isId(value)) return counterpart(of, value, references)
  if (Array.isArray(value))
    return value
      .map((one, at) => [translateMember(of, one, references), value[at]])
      .flatMap(([one, before]) => {
        return one === undefined || isEmptied(one, before) ? [] : [one]
      })
  return isObject(value) ? translateSettings(value, references) : linked(value, references)
}

function translateMember(of: string | undefined, member: unknown, references: References): unknown {
  if (of && isId(member)) return counterpart(of, member, references)
  return translateSetting('', member, references)
}

/** Page Builder stores ids as strings or as numbers; the type is kept. */
function counterpart(of: string, id: string | number, references: References): unknown {
  const found = references.want(of, id)
  if (found === undefined) return undefined
  return typeof id === 'string' ? String(found) : found
}

/** Whether a list member contained nothing but an id that was removed. */
function isEmptied(now: unknown, before: unknown): boolean {
  return isObject(now) && isObject(before) && Object.keys(now).length === 0 && Object.keys(before).length > 0
}

/** Any other value means that nothing was chosen. */
function isId(value: unknown): value is string | number {
  return (typeof value === 'number' || typeof value === 'string') && /^[1-9]\d*$/.test(String(value))
}

/** Counts widgets inside and outside of layouts. Source: specification, "widget nodes landed on the destination". */
export function countWidgets(regions: unknown): number {
  const children = listOf(regions).flatMap(({ children: own }) => listOf(own))
  const alone = children.filter(({ type }) => type !== 'layout').length
  const zones = children.flatMap(({ dropzones }) => listOf(dropzones))
  return zones.reduce((sum, { widgets }) => sum + listOf(widgets).length, alone)
}

export function listOf(value: unknown): PlatformItem[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function isObject(value: unknown): value is PlatformItem {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
