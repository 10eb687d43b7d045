import type { Scope, StoreCounts } from './forecast.ts'

/** The fewest calls a phase can do with. */
export interface PhaseCalls {
  key: string
  sourceReads: number
  destinationReads: number
  writes: number
  /** Product creations with everything inline: the platform takes far longer over them. */
  heavyWrites: number
}

/** The platform's largest pages; a product page with options and modifiers is capped at 10. Source: "Minimum requests". */
const page = 250
const fullProductPage = 10
/** Categories created per call: the documented safe batch. */
const categoryBatch = 10
/** Calls that a tree of categories costs beyond full batches, because children wait for their parents' ids. Our choice. */
const categoryLevels = 3
/** Variants that a product with options has on average. Our choice: larger forecasts fewer follow-up calls, smaller more. */
const variantsPerOptionProduct = 4

type Priced = (counts: StoreCounts, destinationProducts: number) => Omit<PhaseCalls, 'key'>

/** Metafields of products, those of variants, customs information: a page each at least, and their number is not known before. */
const listsBelowProducts = 3

/** Calls to create a phase in full, with the lists of metafields. A phase without a line here costs nothing until it has one. */
const creations: Record<string, Priced> = {
  categories: ({ categories }) => ({
    sourceReads: 1 + pages(categories, page) + 1,
    destinationReads: 1 + pages(categories, page) + 1,
    writes: categories === 0 ? 0 : pages(categories, categoryBatch) + categoryLevels,
    heavyWrites: 0,
  }),
  brands: ({ brands }) => ({
    sourceReads: pages(brands, page) + 1,
    destinationReads: pages(brands, page) + 1,
    writes: brands,
    heavyWrites: 0,
  }),
  // The order of products is asked of each category; how many products are asked for complex rules, no count tells.
  products: ({ products, variants, categories }, destinationProducts) => ({
    sourceReads: pages(products, fullProductPage) + listsBelowProducts + pages(categories, page) + categories,
    destinationReads: pages(destinationProducts, page) + listsBelowProducts + pages(categories, page),
    writes: Math.min(products, Math.ceil(Math.max(0, variants - products) / variantsPerOptionProduct)),
    heavyWrites: products,
  }),
}

export function callsByPhase(scope: Scope, counts: StoreCounts, destinationProducts: number): PhaseCalls[] {
  return scope.phases.map(({ key }) => {
    const created = creations[key]?.(counts, destinationProducts) ?? nothing
    return { key, ...(scope.mode === 'full' ? created : readingOnly(scope, created)) }
  })
}

const nothing: Omit<PhaseCalls, 'key'> = { sourceReads: 0, destinationReads: 0, writes: 0, heavyWrites: 0 }

/** Comparing reads both stores alike; counting asks each store a handful of times. */
function readingOnly(scope: Scope, created: Omit<PhaseCalls, 'key'>): Omit<PhaseCalls, 'key'> {
  if (scope.mode === 'counts') return { ...nothing, sourceReads: Math.min(1, created.sourceReads) }
  return { ...nothing, sourceReads: created.sourceReads, destinationReads: created.sourceReads }
}

/** A listing is read until it ends, so an empty one still costs a call. */
function pages(items: number, perPage: number): number {
  return Math.max(1, Math.ceil(items / perPage))
}
