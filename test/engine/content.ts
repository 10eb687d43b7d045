import type { World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'

export const contentPhases = ['theme-templates', 'widget-templates', 'custom-template-associations', 'page-widgets']

/** Everything that pages may name. */
export const namedOnPages = ['categories', 'brands', 'products', 'pages']

export interface Region {
  name: string
  children: Record<string, unknown>[]
}

const path = '/v3/content/page-widgets'

/** What a page contains according to the platform, without empty regions. */
export async function pageOf(world: World, side: Side, query: string): Promise<Region[]> {
  const { regions } = await callStore<{ regions: Region[] }>(world, side, 'GET', `${path}?${query}`)
  return regions.filter(({ children }) => children.length > 0)
}

export function putPage(world: World, side: Side, page: object): Promise<unknown> {
  return callStore(world, side, 'POST', path, page)
}

/** The widgets of a page from top to bottom, including those in layouts. */
export function widgetsOf(regions: Region[]): Record<string, unknown>[] {
  return regions.flatMap(({ children }) =>
    children.flatMap((child) =>
      child.type === 'widget'
        ? [child]
        : (child.dropzones as { widgets: Record<string, unknown>[] }[]).flatMap(({ widgets }) => widgets),
    ),
  )
}

/** The content of each region, by names that both stores share. */
export function outlineOf(regions: Region[]): unknown[] {
  return regions
    .map(({ name, children }) => [name, children.map((child) => [child.type, child.name, zonesOf(child)])])
    .sort()
}

function zonesOf({ dropzones = [] }: { dropzones?: unknown }): unknown[] {
  return (dropzones as { widgets: { name: string }[] }[]).map(({ widgets }) => widgets.map(({ name }) => name))
}

export async function writesTo(world: World): Promise<string[]> {
  const requests = await world.requests('destination')
  return requests.filter(({ method }) => method !== 'GET').map(({ method, path: to }) => `${method} ${to}`)
}
