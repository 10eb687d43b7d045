import { forecastComponent, forecastTotals } from '../../entities/registry.ts'
import { type PassShape, partOf } from '../../model/forecast/calls.ts'
import type { ScopedCounts, StoreCounts } from '../../model/forecast/forecast.ts'
import { readStorefrontIds } from '../core/storefront-ids.ts'
import { totalOf } from '../read/store-totals.ts'
import type { StoreReader } from './list-totals.ts'
import type { SurveyedPass } from './pass-shape.ts'

export const productsPath = '/v3/catalog/products'

/** The part of the source to price: picked items with those they need, or one storefront's items, or all of it. */
export interface PartOfStore {
  items: Record<string, number> | null
  storefront: string | null
}

export function isWhole({ items, storefront }: PartOfStore): boolean {
  return items === null && storefront === null
}

/** A storefront run does not read what belongs to the whole store. */
export function withoutUnread(
  shapes: PassShape[],
  passes: readonly SurveyedPass[],
  { storefront }: PartOfStore,
): PassShape[] {
  if (storefront === null) return shapes
  // Any tree id will do: this only asks whether the pass is read at all.
  const ids = { channelId: Number(storefront), treeId: 1 }
  return shapes.map((shape, at) =>
    passes[at]?.pass.storefront?.(ids) === null ? { ...shape, items: 0, held: 0, unread: true } : shape,
  )
}

/** Scales shapes to the part. Items that belong to those of another pass are scaled in proportion to them. */
export function shapesInPart(
  shapes: PassShape[],
  passes: readonly SurveyedPass[],
  { whole, part, items }: { whole: StoreCounts; part: StoreCounts; items: PartOfStore['items'] },
): PassShape[] {
  const shares = new Map(
    forecastTotals.map(({ component, total }) => {
      const all = whole[total]
      return [component, all === 0 ? 1 : Math.min(1, part[total] / all)] as const
    }),
  )
  return shapes.map((shape, at) => {
    const { picks, source } = passes[at]?.pass ?? {}
    // For a walked list, only the number of picked items is known.
    if (items && picks && source?.pages) return asPicked(shape, items[shape.root] ?? 0)
    const own = shares.get(shape.root)
    const share = own ?? shares.get(passes[at]?.pass.below ?? '')
    if (share === undefined) return shape
    return own === undefined ? { ...partOf(shape, share), guessed: true as const } : partOf(shape, share)
  })
}

function asPicked(shape: PassShape, items: number): PassShape {
  return { ...partOf(shape, shape.items === 0 ? 0 : Math.min(1, items / shape.items)), items, held: items }
}

/** The variants of some products cannot be counted: each is assumed to have as many as the average product. */
export async function countPart(
  client: StoreReader,
  signal: AbortSignal,
  whole: StoreCounts,
  { items, storefront }: PartOfStore,
): Promise<ScopedCounts | undefined> {
  const perProduct = whole.products === 0 ? 0 : whole.variants / whole.products
  const withVariants = (products: number, categories: number, brands: number): ScopedCounts => ({
    counts: { products, categories, brands, variants: Math.round(products * perProduct) },
    estimated: [forecastComponent('variants').key],
  })
  if (items) {
    const { products, categories, brands } = countPicked(items)
    return withVariants(products, categories, brands)
  }
  if (storefront === null) return undefined
  const { treeId } = await readStorefrontIds(client, storefront, signal)
  const products = client.get(productsPath, { limit: 1, 'channel_id:in': storefront }, { signal })
  const categories =
    treeId && client.get('/v3/catalog/trees/categories', { limit: 1, 'tree_id:in': treeId }, { signal })
  const [sold, listed] = await Promise.all([products, categories])
  return withVariants(totalOf(sold), listed ? totalOf(listed) : 0, whole.brands)
}

function countPicked(items: Record<string, number>): StoreCounts {
  const counts = { products: 0, variants: 0, categories: 0, brands: 0 }
  for (const { component, total } of forecastTotals) counts[total] = items[component] ?? 0
  return counts
}
