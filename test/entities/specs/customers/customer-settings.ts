import { reading } from '../../../faults/subject.ts'
import type { EntitySpec } from '../spec.ts'

export const customerSettings: EntitySpec = {
  entity: 'customer-settings',
  components: {
    'customer-settings': {
      neverCreated: 'every store has them',
      editedElsewhere: 'as the settings: test/engine/customer-settings.test.ts',
    },
    'channel-customer-settings': {
      neverCreated: 'every channel says whether customers of others may enter',
      editedElsewhere: 'as the settings: test/engine/customer-settings.test.ts',
    },
  },
  faults: {
    lists: [
      reading(['customer-settings'], '^/v3/customers/settings$'),
      reading(['channel-customer-settings'], '^/v3/customers/settings/channels/\\d+$'),
    ],
  },
  fewest: {
    paths: /^\/v3\/customers\/settings/,
    tables: ['customer_settings'],
    // The general ones, and those of each storefront.
    reads: (shops) => 1 + shops.count('channels'),
    looks: (shops) => 1 + shops.count('channels'),
    writes: (shops) => shops.count('customer_settings'),
  },
}
