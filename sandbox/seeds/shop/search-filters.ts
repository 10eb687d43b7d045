import { DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import { contextTable } from '../../resources/settings/filter-contexts.ts'
import { firstFilters, type ShownFilter, shownOption } from '../../resources/settings/shown-filters.ts'
import type { SandboxStore } from '../../store/store.ts'
import { categoriesTable } from '../../tables/category-tables.ts'
import { optionTable } from '../../tables/product-tables.ts'

/** Gives the first storefront and its first category filters of their own, one of them by an option. */
export function seedSearchFilters(store: SandboxStore): void {
  const [option] = optionTable(store).page({ offset: 0, limit: 1 }).rows
  const [category] = categoriesTable(store).page({ offset: 0, limit: 1 }).rows
  if (!option || !category) return
  const [byCategory, brand, rating, price] = firstFilters(store) as [ShownFilter, ShownFilter, ShownFilter, ShownFilter]
  const byOption = shownOption(store, String(option.display_name), { items_to_show: 15, sort_by: 'option_values' })
  const contexts = contextTable(store)
  const ofChannel = [{ ...brand, display_name: 'Maker', items_to_show: 5 }, byOption, price]
  contexts.insert({ channel_id: DEFAULT_CHANNEL_ID, category_id: null, data: ofChannel })
  const ofCategory = [byOption, { ...rating, collapsed_by_default: true }, { ...byCategory, is_enabled: false }]
  contexts.insert({ channel_id: null, category_id: category.id, data: ofCategory })
}
