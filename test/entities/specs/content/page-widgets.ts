import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import { shopText } from '../../../comparison/shop-texts.ts'
import type { Row, StoreSide } from '../../../comparison/store-side.ts'
import { isObject, itemOf, plainText, type TableRules } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import type { Subject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

const widgetPages = '^/v3/content/page-widgets$'

/** One call writes a page as a whole, and repeating it changes nothing. */
const widgetsOfPage: Subject = {
  component: 'page-widgets',
  pass: 'page-widgets',
  write: { method: 'POST', path: widgetPages },
  before: { method: 'GET', path: widgetPages },
  probe: { path: widgetPages, query: /template_file/ },
}

const pageNames = { channel_id: 'names the row', template_file: 'names the row', entity_id: 'names the row' }

export const pageWidgets: EntitySpec = {
  entity: 'page-widgets',
  components: {
    'page-widgets': { prunedElsewhere: 'a page is where it is: test/engine/page-widgets.test.ts' },
    'global-widgets': { prunedElsewhere: 'a channel has one: test/engine/page-widgets.test.ts' },
  },
  kills: {
    /** One call writes a page as a whole, and repeating it changes nothing. */
    'page-widgets': widgetsOfPage,
    'global-widgets': { ...widgetsOfPage, component: 'global-widgets', pass: 'global-widgets' },
  },
  faults: {
    writes: [
      writing('page-widgets', '^/v3/content/page-widgets$', { body: '"template_file":' }),
      writing('global-widgets', '^/v3/content/page-widgets$', { body: '--global' }),
    ],
    lists: [reading(['page-widgets', 'global-widgets'], '^/v3/content/page-widgets$')],
  },
  tables: [contextRules('page_contexts', 'page-widgets'), contextRules('global_contexts', 'global-widgets')],
  excludedFields: {
    page_contexts: { id: ownId, date_created: platformDate, date_modified: platformDate },
    global_contexts: { id: ownId, date_created: platformDate, date_modified: platformDate },
  },
  notWritable: {
    page_contexts: pageNames,
    global_contexts: pageNames,
  },
  onlyOnce: ['page_contexts', 'global_contexts'],
  awkward: {
    findings: [
      // It shows a product that is gone.
      'page-widgets different pages/home in default storefront regions',
    ],
  },
  fewest: {
    paths: /^\/v3\/content\/(page-widgets|placements)/,
    tables: ['page_contexts', 'global_contexts'],
    // A list of the positions, then each of them.
    reads: (shops) => 1 + shops.count('page_contexts') + shops.count('global_contexts'),
    looks: () => 1 + 1,
    writes: (shops) => shops.count('page_contexts') + shops.count('global_contexts'),
  },
}

function namedSetting(field: string, value: unknown, side: StoreSide): unknown {
  if (field === 'widget_template_uuid')
    return side.refer('widget_templates', side.where('widget_templates', 'uuid', value)[0]?.id ?? plainText(value))
  const [, type] = /^(product|category|brand|page)Ids?$/.exec(field) ?? []
  const name = (id: unknown) =>
    /^[1-9]\d*$/.test(plainText(id)) ? `${typeof id} ${plainText(itemOf(type, id, side))}` : id
  if (type === undefined) return namedOnPage(value, side)
  return Array.isArray(value) ? value.map(name) : name(value)
}

/** The settings of widgets with names instead of ids and addresses; numbers that every store assigns itself are left out. */
function namedOnPage(value: unknown, side: StoreSide): unknown {
  if (Array.isArray(value)) return value.map((one) => namedOnPage(one, side))
  if (!isObject(value)) return shopText(value, side)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !['uuid', 'placement_uuid'].includes(field))
      .map(([field, of]) => [field, namedSetting(field, of, side)]),
  )
}

/** The content of a page, recognised by its position. */
function contextRules(table: string, entity: string): TableRules {
  const about = (row: Row, side: StoreSide) => {
    const [, type] =
      /^pages\/(?:custom\/)?(product|category|brand|page)(?:\/|$)/.exec(plainText(row.template_file)) ?? []
    return row.entity_id === '' ? '' : itemOf(type, row.entity_id, side)
  }
  return {
    table,
    entity,
    references: { channel_id: 'channels' },
    parents: [],
    shownAs: (row) => [row.channel_id, row.template_file, row.entity_id].join('|'),
    keys: (row, side) => [
      [
        plainText(row.template_file),
        plainText(about(row, side)),
        'in',
        plainText(side.refer('channels', row.channel_id)),
      ]
        .filter((part) => part !== '')
        .join(' '),
    ],
    rewritten: (row, side) => ({ entity_id: about(row, side), regions: namedOnPage(row.regions, side) }),
  }
}
