import { oneByOne } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import { plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const subscribers: EntitySpec = {
  entity: 'subscribers',
  kills: {
    subscribers: {
      component: 'subscribers',
      pass: 'subscribers',
      write: { method: 'POST', path: '^/v3/customers/subscribers$' },
      before: { method: 'GET', path: '^/v3/customers/subscribers$' },
      probe: { path: '^/v3/customers/subscribers$', query: /limit=/ },
    },
  },
  faults: {
    writes: [writing('subscribers', '^/v3/customers/subscribers$')],
    lists: [reading(['subscribers'], '^/v3/customers/subscribers$')],
  },
  tables: [
    {
      table: 'subscribers',
      entity: 'subscribers',
      references: { channel_id: 'channels' },
      parents: [],
      keys: (row, side) => [
        `${plainText(row.email).toLowerCase()} in ${plainText(side.refer('channels', row.channel_id))}`,
      ],
    },
  ],
  excludedFields: {
    subscribers: {
      id: ownId,
      order_id: 'names an order, which has another id in every store',
      date_created: platformDate,
      date_modified: platformDate,
    },
  },
  notWritable: {
    subscribers: { channel_id: 'names a storefront, of which the seed has one' },
  },
  otherValues: { 'subscribers.source': ['storefront', 'custom'] },
  awkward: {
    findings: [
      // Channels are never created.
      'subscribers missing two-storefronts@example.com in Closed-outlet',
    ],
  },
  fewest: oneByOne(/^\/v3\/customers\/subscribers/, 'subscribers', 'by number'),
}
