import { oneByOne } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import { plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const currencies: EntitySpec = {
  entity: 'currencies',
  components: {
    currencies: { partlyThere: 'every store has its own' },
  },
  kills: {
    currencies: listSubject('currencies', '^/v2/currencies$'),
  },
  faults: {
    writes: [writing('currencies', '^/v2/currencies$')],
    lists: [reading(['currencies'], '^/v2/currencies$')],
  },
  tables: [
    {
      table: 'currencies',
      entity: 'currencies',
      references: {},
      parents: [],
      keys: (row) => [plainText(row.currency_code)],
      rewritten: ({ currency_exchange_rate: rate, auto_update }) => ({
        // A rate that the platform keeps up to date changes every day.
        currency_exchange_rate: auto_update === true ? 'of the day' : Number(rate),
      }),
    },
  ],
  excludedFields: {
    currencies: {
      id: ownId,
      is_default: 'which currency is the default stays as it is in each store',
      is_transactional: 'the control panel decides what a store accepts payments in, which is reported',
      default_for_country_codes: 'read-only on the platform',
      use_default_name: 'read-only on the platform',
      last_updated: platformDate,
    },
  },
  notWritable: {
    currencies: { auto_update: 'whether the rate is compared goes with it: two fields' },
  },
  fewest: oneByOne(/^\/v2\/currencies/, 'currencies', '/v2 by number'),
}
