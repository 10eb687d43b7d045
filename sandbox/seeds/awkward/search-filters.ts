import { channelsTable, DEFAULT_CHANNEL_ID } from '../../resources/channels.ts'
import { contextTable } from '../../settings/filter-contexts.ts'
import { firstFilters, type ShownFilter } from '../../settings/shown-filters.ts'
import { type AwkwardShop, goneId, idIn } from './awkward-shop.ts'

/** Texts of other scripts, everything switched off, and filters of what is closed or gone. */
export function plantAwkwardFilters({ store, categories }: AwkwardShop): void {
  const [byCategory, brand, rating] = firstFilters(store) as [ShownFilter, ShownFilter, ShownFilter]
  const closed = channelsTable(store)
    .find({})
    .find(({ name }) => name === 'Closed-outlet')
  const contexts = contextTable(store)
  for (const [channel_id, category_id, data] of [
    [
      DEFAULT_CHANNEL_ID,
      null,
      [
        { ...rating, display_name: '⭐ تقييم & "more"' },
        { ...brand, sort_by: 'item_count' },
      ],
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
