import { withNullTexts } from '../../../store/null-texts.ts'
import type { Row, SandboxStore, Table } from '../../../store/store.ts'
import {
  bulkPricingRuleTable,
  channelAssignmentTable,
  customFieldTable,
  imageTable,
  modifierTable,
  modifierValueTable,
  optionTable,
  optionValueTable,
  productCategoryTable,
  reviewTable,
  variantTable,
  videoTable,
} from '../../../tables/product-tables.ts'
import { bySortOrder, groupBy } from '../../../tables/rows.ts'
import { bulkPricingRuleAnswer } from './bulk-pricing-rows.ts'
import { imageAnswer } from './image-rows.ts'
import { modifierAnswer, optionAnswer } from './option-rows.ts'
import { calculatedPrice, optionLabels, variantAnswer } from './variant-rows.ts'
import { withStockOfVariants } from './variant-stock.ts'

type Answer = Record<string, unknown>

/**
 * The answer to a create contains neither options nor modifiers. Source: the example of the published create answer.
 */
export const CREATE_INCLUDES = new Set([
  'bulk_pricing_rules',
  'custom_fields',
  'images',
  'parent_relations',
  'primary_image',
  'reviews',
  'variants',
  'videos',
])

/** A page of products with their children. Takes one query for each kind of child, however long the page is. */
export function productAnswers(store: SandboxStore, products: Row[], includes: ReadonlySet<string>): Answer[] {
  const rows = withStockOfVariants(store, products)
  const ids = rows.map((row) => row.id)
  const categories = groupBy(productCategoryTable(store).find({ product_id: ids }), 'product_id')
  const children = [...includes].flatMap((include) => {
    const load = CHILDREN[include]
    return load ? [{ include, of: load(store, ids) }] : []
  })
  return rows.map((row) => {
    const answer: Answer = {
      ...coreFields(store, row),
      categories: (categories.get(row.id) ?? []).map((link) => link.category_id),
    }
    for (const { include, of } of children) answer[include] = of(row)
    return answer
  })
}

export function productAnswer(store: SandboxStore, row: Row, includes: ReadonlySet<string>): Answer {
  // One row gives one answer.
  return productAnswers(store, [row], includes)[0] as Answer
}

function coreFields(store: SandboxStore, row: Row): Answer {
  return { ...withNullTexts(store, row), calculated_price: calculatedPrice(row) }
}

type LoadChildren = (store: SandboxStore, ids: number[]) => (row: Row) => unknown

const nothing: LoadChildren = () => () => []

/** The rows of a table as they are returned, grouped by product. */
const rowsOf = (tableOf: (store: SandboxStore) => Table, shown: (row: Row) => unknown): LoadChildren => {
  return (store, ids) => {
    const groups = groupBy(tableOf(store).find({ product_id: ids }), 'product_id')
    return (row) => (groups.get(row.id) ?? []).map(shown)
  }
}

const CHILDREN: Record<string, LoadChildren> = {
  bulk_pricing_rules: rowsOf(bulkPricingRuleTable, bulkPricingRuleAnswer),
  reviews: rowsOf(reviewTable, (row) => row),
  videos: rowsOf(videoTable, (row) => row),
  parent_relations: nothing,
  channels: (store, ids) => {
    const groups = groupBy(channelAssignmentTable(store).find({ product_id: ids }), 'product_id')
    return (row) => (groups.get(row.id) ?? []).map((assignment) => assignment.channel_id)
  },
  custom_fields: (store, ids) => {
    const groups = groupBy(customFieldTable(store).find({ product_id: ids }), 'product_id')
    return (row) => (groups.get(row.id) ?? []).map(({ id, name, value }) => ({ id, name, value }))
  },
  images: (store, ids) => {
    const groups = groupBy(imageTable(store).find({ product_id: ids }), 'product_id')
    return (row) => (groups.get(row.id) ?? []).map((image) => imageAnswer(store, image))
  },
  primary_image: (store, ids) => {
    const groups = groupBy(imageTable(store).find({ product_id: ids }), 'product_id')
    return (row) => {
      const primary = (groups.get(row.id) ?? []).find((image) => image.is_thumbnail)
      return primary ? imageAnswer(store, primary) : null
    }
  },
  options: (store, ids) => {
    const groups = groupBy(optionTable(store).find({ product_id: ids }), 'product_id')
    const values = groupBy(optionValueTable(store).find({ product_id: ids }), 'option_id')
    return (row) =>
      (groups.get(row.id) ?? []).sort(bySortOrder).map((option) => optionAnswer(option, values.get(option.id) ?? []))
  },
  modifiers: (store, ids) => {
    const groups = groupBy(modifierTable(store).find({ product_id: ids }), 'product_id')
    const values = groupBy(modifierValueTable(store).find({ product_id: ids }), 'modifier_id')
    return (row) =>
      (groups.get(row.id) ?? [])
        .sort(bySortOrder)
        .map((modifier) => modifierAnswer(modifier, values.get(modifier.id) ?? []))
  },
  variants: (store, ids) => {
    const groups = groupBy(variantTable(store).find({ product_id: ids }), 'product_id')
    const labels = optionLabels(store, ids)
    // The sources do not say whether long lists are cut (switch `included_variants_max`).
    const most = Number(store.switches.included_variants_max ?? Infinity)
    return (row) => (groups.get(row.id) ?? []).slice(0, most).map((variant) => variantAnswer(variant, row, labels))
  },
}
