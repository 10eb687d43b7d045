import { channelsTable, DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import { contextTable } from '../../resources/settings/filter-contexts.ts'
import { firstFilters, type ShownFilter, shownOption } from '../../resources/settings/shown-filters.ts'
import { optionTable } from '../../tables/product-tables.ts'
import { type AwkwardShop, goneId, idIn } from './awkward-shop.ts'

/**
 * Adds filters with texts in other scripts, one by an option, and filters of closed or deleted channels. In one place
 * all filters are off.
 */
export function plantAwkwardFilters({ store, categories }: AwkwardShop): void {
  const [byCategory, brand, rating] = firstFilters(store) as [ShownFilter, ShownFilter, ShownFilter]
  const [option] = optionTable(store).page({ offset: 0, limit: 1 }).rows
  const byOption = shownOption(store, String(option?.display_name), { items_to_show: 5, sort_by: 'item_count' })
  const closed = channelsTable(store)
    .find({})
    .find(({ name }) => name === 'Closed-outlet')
  const contexts = contextTable(store)
  for (const [channel_id, category_id, data] of [
    [
      DEFAULT_CHANNEL_ID,
      null,
      [{ ...rating, display_name: '⭐ تقييم & "more"' }, byOption, { ...brand, sort_by: 'item_count' }],
    ],
    [
      null,
      idIn(categories, 'Women/Shoes'),
      [
        { ...byCategory, is_enabled: false },
        { ...rating, is_enabled: false },
      ],
    ],
    [null, goneId(store, 'categories'), [brand]],
    [closed?.id ?? null, null, [brand]],
  ] as const)
    contexts.insert({ channel_id, category_id, data })
}
