import { batches, callsOf, oneByOne } from '../../../../bench/parts/fewest-calls.ts'
import { ownId } from '../../../comparison/exclusion-reasons.ts'
import { plainText, withTexts } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const pages: EntitySpec = {
  entity: 'pages',
  kills: {
    pages: listSubject('pages', '^/v3/content/pages$'),
  },
  faults: {
    writes: [writing('pages', '^/v3/content/pages$')],
    lists: [reading(['pages'], '^/v3/content/pages$')],
  },
  tables: [
    {
      table: 'pages',
      entity: 'pages',
      references: { parent_id: 'pages', channel_id: 'channels' },
      parents: ['parent_id', 'channel_id'],
      mayMove: true,
      keys: (row) => [plainText(row.name), ...(row.url ? [plainText(row.url)] : [])],
      rewritten: (row, side) => withTexts(row, side, 'body', 'link'),
    },
  ],
  excludedFields: {
    pages: { id: ownId },
  },
  notWritable: {
    pages: {
      channel_id: 'a page stays in its channel',
      type: 'pages of another type have other fields',
    },
  },
  awkward: {
    failures: [
      // Their parents are gone, or they are their own.
      'pages hierarchy_broken Below itself',
      'pages hierarchy_broken Parent gone',
    ],
    findings: [
      // Only the control panel can create it.
      'pages missing default storefront > Blog',
      'pages missing no pages * > Parent gone',
    ],
  },
  fewest: {
    ...oneByOne(/^\/v3\/content\/pages/, 'pages', 'by number'),
    writes: (shops) => callsOf(shops.fresh('pages'), batches.pages),
  },
}
