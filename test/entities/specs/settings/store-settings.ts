import type { Shops, SourceRow } from '../../../../bench/parts/fewest-calls.ts'
import { reading } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

const ofStore = '^(?!.*channel_id=)'

/** Settings that a channel has of its own, while the same address also returns the store's. */
const ofChannel = 'channel_id=\\d'

/** Groups of settings that a store has, and those that each of its storefronts may have of its own. */
const groupsOfStore = 14
const groupsOfStorefront = 13

const groupsIn = (shops: Shops) => groupsOfStore + groupsOfStorefront * shops.count('channels', isStorefront)
const isStorefront = ({ type, status }: SourceRow) => type === 'storefront' && status !== 'deleted'

export const storeSettings: EntitySpec = {
  entity: 'store-settings',
  components: {
    'store-settings': {
      neverCreated: 'every store has them',
      editedElsewhere: 'their table says only what differs from a new store: test/engine/store-base.test.ts',
    },
    'store-contacts': {
      neverCreated: 'every store has them',
      editedElsewhere: 'as the settings',
      livesElsewhere: 'kept with the settings: test/engine/store-base.test.ts',
    },
    'channel-settings': { editedElsewhere: 'as the settings' },
    'channel-contacts': { editedElsewhere: 'as the settings' },
    'store-pictures': { editedElsewhere: 'with the settings: test/engine/setting-pictures.test.ts' },
    'channel-pictures': { editedElsewhere: 'with the settings: test/engine/setting-pictures.test.ts' },
  },
  kills: {
    /** Written as a whole, and again after a lost answer. */
    'channel-settings': listSubject('channel-settings', '^/v3/settings/storefront/seo$', {
      method: 'PUT',
      path: '^/v3/settings/storefront/seo$',
    }),
    'channel-contacts': listSubject('channel-contacts', '^/v3/settings/store/profile$', {
      method: 'PUT',
      path: '^/v3/settings/store/profile$',
    }),
    /** Identified by where they are shown. */
    'store-pictures': listSubject('store-pictures', '^/v3/settings/logo$', {
      method: 'POST',
      path: '^/v3/settings/favicon/image$',
    }),
    'channel-pictures': listSubject('channel-pictures', '^/v3/settings/logo$', {
      method: 'POST',
      path: '^/v3/settings/logo/image$',
    }),
  },
  faults: {
    lists: [
      reading(['store-settings'], '^/v3/settings/catalog$', ofStore),
      reading(['channel-settings'], '^/v3/settings/catalog$', ofChannel),
      reading(['store-contacts'], '^/v3/settings/store/profile$', ofStore),
      reading(['channel-contacts'], '^/v3/settings/store/profile$', ofChannel),
      reading(['store-pictures'], '^/v3/settings/logo$', ofStore),
      reading(['channel-pictures'], '^/v3/settings/logo$', ofChannel),
    ],
  },
  fewest: {
    paths: /^\/v3\/settings\/(?!email-statuses|search\/filters)/,
    tables: ['settings'],
    // Each is read on both sides, and written where the source has its own value.
    reads: groupsIn,
    looks: groupsIn,
    writes: (shops) => shops.count('settings'),
  },
}
