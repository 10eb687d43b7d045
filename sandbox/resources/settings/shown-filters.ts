import type { SandboxStore } from '../../store/store.ts'
import { refuseIfAny } from '../../validation/body-checks.ts'
import { complaintsAboutMissing, type FieldRule, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { availableFilters, type FilterType, filterId } from './available-filters.ts'

export type ShownFilter = Record<string, unknown>

const YES_OR_NO: FieldRule = { kind: 'boolean' }
const COMMON: FieldRules = {
  id: { kind: 'text', min: 1 },
  type: { kind: 'text' },
  display_name: { kind: 'text' },
  collapsed_by_default: YES_OR_NO,
  is_enabled: YES_OR_NO,
}
const COUNTED: FieldRules = { display_product_count: YES_OR_NO, items_to_show: { kind: 'integer' } }
const sortedBy = (...ways: string[]): FieldRules => ({ sort_by: { kind: 'text', oneOf: ways } })

/** The fields of each type of filter. Source: the published settings specification. */
const RULES: Record<FilterType, FieldRules> = {
  product: { ...COMMON, ...COUNTED, ...sortedBy('alpha', 'option_values', 'item_count') },
  brand: { ...COMMON, ...COUNTED, ...sortedBy('alpha', 'item_count') },
  category: { ...COMMON, ...COUNTED },
  price: COMMON,
  rating: COMMON,
  other: {
    ...COMMON,
    display_product_count: YES_OR_NO,
    show_free_shipping_filter: YES_OR_NO,
    show_in_stock_filter: YES_OR_NO,
    show_is_featured_filter: YES_OR_NO,
    show_product_count: YES_OR_NO,
  },
}
const ITEMS_TO_SHOW = [5, 10, 15]

const DEFAULTS: ShownFilter = { collapsed_by_default: false, is_enabled: true }
const COUNTS: ShownFilter = { display_product_count: true, items_to_show: 10 }
const OTHERS: ShownFilter = {
  display_product_count: true,
  show_free_shipping_filter: true,
  show_in_stock_filter: true,
  show_is_featured_filter: true,
  show_product_count: true,
}

/** The filters of a store that never changed them: those that need no option (our choice). */
export function firstFilters(store: SandboxStore): ShownFilter[] {
  const filter = (type: FilterType, display_name: string, more: ShownFilter = {}) => ({
    ...{ id: filterId(store, type, display_name), type, display_name },
    ...DEFAULTS,
    ...more,
  })
  return [
    filter('category', 'Category', COUNTS),
    filter('brand', 'Brand', { ...COUNTS, sort_by: 'alpha' }),
    filter('rating', 'Rating'),
    filter('price', 'Price'),
    filter('other', 'Other', OTHERS),
  ]
}

/** A filter by an option or custom field. */
export function shownOption(store: SandboxStore, name: string, more: ShownFilter): ShownFilter {
  return { id: filterId(store, 'product', name), type: 'product', display_name: name, ...DEFAULTS, ...COUNTS, ...more }
}

/**
 * The filters of a body, in their order.
 *
 * @param at path of the list in the body, for the error messages
 * @throws 422 for a filter that the store does not have
 */
export function readFilters(store: SandboxStore, rows: Record<string, unknown>[], at = ''): ShownFilter[] {
  const types = new Map(availableFilters(store).map(({ id, type }) => [id, type]))
  return rows.map((row, index) => {
    const type = types.get(String(row.id))
    const { values, errors } = readFields(type ? RULES[type] : COMMON, row)
    const items = values.items_to_show
    const complaints = {
      ...(type ? {} : { id: `there is no filter ${String(row.id)}` }),
      ...(type && row.type !== undefined && row.type !== type ? { type: `the filter is of type ${type}` } : {}),
      ...(items !== undefined && !ITEMS_TO_SHOW.includes(Number(items))
        ? { items_to_show: 'must be 5, 10 or 15' }
        : {}),
      ...complaintsAboutMissing(['id', 'type'], row),
      ...errors,
    }
    refuseIfAny(Object.fromEntries(Object.entries(complaints).map(([field, text]) => [`${at}${index}.${field}`, text])))
    return values
  })
}
