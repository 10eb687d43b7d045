import { ownId } from '../../../comparison/exclusion-reasons.ts'
import { isObject, plainText } from '../../../comparison/table-rule.ts'
import { reading } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

const filterContexts = '^/v3/settings/search/filters/contexts$'

export const searchFilters: EntitySpec = {
  entity: 'search-filters',
  components: {
    'available-filters': { neverCreated: 'filters come with the products' },
    'search-filters': {
      neverCreated: 'every store has some',
      editedElsewhere: 'as the settings: test/engine/search-filters.test.ts',
    },
  },
  kills: {
    'search-filter-contexts': listSubject('search-filter-contexts', filterContexts, {
      method: 'PUT',
      path: filterContexts,
    }),
  },
  faults: {
    lists: [
      reading(['available-filters'], '^/v3/settings/search/filters/available$'),
      reading(['search-filters'], '^/v3/settings/search/filters$'),
      reading(['search-filter-contexts'], '^/v3/settings/search/filters/contexts$'),
    ],
  },
  tables: [
    {
      table: 'search_filter_contexts',
      entity: 'search-filter-contexts',
      references: { channel_id: 'channels', category_id: 'categories' },
      parents: [],
      shownAs: (row) => `${row.channel_id ?? ''}/${row.category_id ?? ''}`,
      keys: (row, side) => [
        `channel ${plainText(side.refer('channels', row.channel_id))} category ${plainText(side.refer('categories', row.category_id))}`,
      ],
      rewritten: ({ data }) => ({ data: filtersIn(data) }),
    },
  ],
  excludedFields: {
    search_filter_contexts: { id: ownId },
  },
  notWritable: {
    search_filter_contexts: { channel_id: 'names the row', category_id: 'names the row' },
  },
  onlyOnce: ['search_filter_contexts'],
  awkward: {
    failures: [
      // Filters of a category that is gone.
      'search-filter-contexts missing_reference category *',
    ],
    findings: [
      // They belong to a channel that is not created, and to a category that is gone.
      'search-filter-contexts missing channel  category no categories *',
      'search-filter-contexts missing channel Closed-outlet category ',
    ],
  },
  fewest: {
    paths: /^\/v3\/settings\/search\/filters/,
    tables: ['search_filter_contexts'],
    reads: (shops) => 1 + shops.list(shops.count('search_filter_contexts'), 'by number'),
    looks: () => 1 + 1,
    writes: (shops) => shops.count('search_filter_contexts'),
  },
}

/** Each store has its own ids for the same filters, which are identified by their type and subject. */
function filtersIn(data: unknown): unknown {
  if (!Array.isArray(data)) return data
  return data.map((filter: unknown) => {
    if (!isObject(filter)) return filter
    const [type, , name] = Buffer.from(plainText(filter.id), 'base64').toString().split(':')
    return { ...filter, id: `${type}: ${name}` }
  })
}
