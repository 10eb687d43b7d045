import { oneByOne } from '../../../../bench/parts/fewest-calls.ts'
import { reading } from '../../../faults/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const channelCurrencies: EntitySpec = {
  entity: 'channel-currencies',
  components: {
    'channel-currencies': {
      neverCreated: 'every channel has some',
      editedElsewhere: 'a channel without own ones has no row: test/engine/store-base.test.ts',
    },
  },
  faults: {
    lists: [reading(['channel-currencies'], '^/v3/channels/currency-assignments$')],
  },
  fewest: oneByOne(/^\/v3\/channels\/currency-assignments/, 'channel_currencies', 'by number'),
}
