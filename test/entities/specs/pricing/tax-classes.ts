import { batches, callsOf } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import { plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const taxClasses: EntitySpec = {
  entity: 'tax-classes',
  components: {
    'tax-classes': { partlyThere: 'every store is born with three' },
  },
  kills: {
    'tax-classes': listSubject('tax-classes', '^/v2/tax_classes$', { method: 'POST', path: '^/v3/tax/classes$' }),
  },
  faults: {
    writes: [writing('tax-classes', '^/v3/tax/classes$')],
    lists: [reading(['tax-classes'], '^/v2/tax_classes$')],
  },
  tables: [
    {
      table: 'tax_classes',
      entity: 'tax-classes',
      references: {},
      parents: [],
      keys: (row) => [plainText(row.name)],
    },
  ],
  excludedFields: {
    tax_classes: {
      id: ownId,
      is_built_in: 'the mark of the sandbox for what every store has',
      created_at: platformDate,
      updated_at: platformDate,
    },
  },
  fewest: {
    paths: /^\/(v2\/tax_classes|v3\/tax\/classes)/,
    tables: ['tax_classes'],
    reads: (shops) => shops.list(shops.count('tax_classes'), '/v2 by number'),
    looks: (shops) => shops.list(shops.born('tax_classes'), '/v2 by number'),
    writes: (shops) => callsOf(shops.fresh('tax_classes'), batches.taxClasses),
  },
}
