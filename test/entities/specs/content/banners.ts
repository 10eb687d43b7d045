import { oneByOne } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import type { StoreSide } from '../../../comparison/store-side.ts'
import { type Fields, plainText, withTexts } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const banners: EntitySpec = {
  entity: 'banners',
  kills: {
    banners: listSubject('banners', '^/v2/banners$'),
  },
  faults: {
    writes: [writing('banners', '^/v2/banners$')],
    lists: [reading(['banners'], '^/v2/banners$')],
  },
  tables: [
    {
      table: 'banners',
      entity: 'banners',
      references: {},
      parents: [],
      keys: (row, side) => [`${row.page} ${row.location} ${plainText(shownWith(row, side))} ${plainText(row.name)}`],
      rewritten: (row, side) => ({ ...withTexts(row, side, 'content'), item_id: shownWith(row, side) }),
    },
  ],
  excludedFields: {
    banners: { id: ownId, date_created: platformDate },
  },
  notWritable: {
    banners: { page: 'what it is about goes with it', item_id: 'names another brand: part of its key' },
  },
  otherValues: {
    'banners.location': ['top', 'bottom'],
    'banners.date_type': ['always', 'custom'],
    'banners.visible': ['1', '0'],
  },
  awkward: {
    failures: [
      // Shown with a category that is gone.
      'banners missing_reference Category gone',
    ],
    findings: ['banners missing category_page top no categories * Category gone'],
  },
  story: {
    table: 'banners',
    edit: { content: '<p>Edited</p>' },
    creation: { method: 'POST', path: '^/v2/banners$' },
    onlyThere: {
      path: '/v2/banners',
      body: {
        name: 'Only there',
        page: 'home_page',
        location: 'top',
        date_type: 'always',
        content: '<p>Only there</p>',
      },
    },
    copiedBefore: ['categories', 'brands'],
  },
  fewest: oneByOne(/^\/v2\/banners/, 'banners', '/v2 by id', 1),
}

/** What the page of a banner is about. */
function shownWith({ page, item_id }: Fields, side: StoreSide): unknown {
  const table = { category_page: 'categories', brand_page: 'brands' }[String(page)]
  return table === undefined ? item_id : side.refer(table, Number(item_id))
}
