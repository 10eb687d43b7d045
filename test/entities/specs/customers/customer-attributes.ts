import { batches, callsOf } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import { plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const customerAttributes: EntitySpec = {
  entity: 'customer-attributes',
  components: {
    'customer-attributes': { editedElsewhere: 'it has a name, which is its key, and a type, which stays' },
  },
  kills: {
    'customer-attributes': {
      component: 'customer-attributes',
      pass: 'customer-attributes',
      write: { method: 'POST', path: '^/v3/customers/attributes$' },
      before: { method: 'GET', path: '^/v3/customers/attributes$' },
      probe: { path: '^/v3/customers/attributes$', query: /limit=/ },
    },
  },
  faults: {
    writes: [writing('customer-attributes', '^/v3/customers/attributes$')],
    lists: [reading(['customer-attributes'], '^/v3/customers/attributes$')],
  },
  tables: [
    {
      table: 'customer_attributes',
      entity: 'customer-attributes',
      references: {},
      parents: [],
      keys: (row) => [plainText(row.name)],
    },
  ],
  excludedFields: {
    customer_attributes: { id: ownId, date_created: platformDate, date_modified: platformDate },
  },
  otherValues: { 'customer_attributes.type': ['string', 'number'] },
  fewest: {
    paths: /^\/v3\/customers\/attributes/,
    tables: ['customer_attributes'],
    reads: (shops) => shops.list(shops.count('customer_attributes'), 'by number'),
    looks: () => 1,
    writes: (shops) => callsOf(shops.count('customer_attributes'), batches.attributes),
  },
}
