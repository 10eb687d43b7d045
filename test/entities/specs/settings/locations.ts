import { batches, callsOf, pageOfPlaces } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import { bornWith, plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const locations: EntitySpec = {
  entity: 'locations',
  components: {
    locations: {
      partlyThere: 'every store is born with one',
      livesElsewhere: 'every store has its own address: test/engine/store-base.test.ts',
    },
  },
  kills: {
    locations: listSubject('locations', '^/v3/inventory/locations$'),
  },
  faults: {
    writes: [writing('locations', '^/v3/inventory/locations$')],
    lists: [reading(['locations'], '^/v3/inventory/locations$')],
  },
  tables: [
    {
      table: 'locations',
      entity: 'locations',
      references: {},
      parents: [],
      keys: (row) => [row.id === bornWith ? 'default location' : plainText(row.code)],
      // By default a run leaves alone what every store has.
      rewritten: (row) => (row.id === bornWith ? Object.fromEntries(Object.keys(row).map((field) => [field, ''])) : {}),
    },
  ],
  excludedFields: {
    locations: { id: ownId, created_at: platformDate, updated_at: platformDate },
  },
  fewest: {
    paths: /^\/v3\/inventory\/locations/,
    tables: ['locations'],
    reads: (shops) => shops.list(shops.count('locations'), 'by number', pageOfPlaces),
    // The answer to new ones contains no ids.
    looks: (shops) => 1 + callsOf(shops.fresh('locations'), batches.locations),
    writes: (shops) => callsOf(shops.fresh('locations'), batches.locations),
  },
}
