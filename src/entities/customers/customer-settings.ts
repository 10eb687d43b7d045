import type { PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import type { References } from '../core/references.ts'
import { type Group, settings } from '../settings/settings.ts'

const path = '/v3/customers/settings'

/**
 * Privacy, and the groups of guests and new customers. For a channel, also whether customers of other channels may sign
 * in.
 */
const groups: readonly Group[] = [
  { key: 'customers', path, ofChannel: (channelId) => ({ path: `${path}/channels/${channelId}` }) },
]

const namingGroups = ['guest_customer_group_id', 'default_customer_group_id']

/** 0 means no group, and is also used if the destination does not have the group; null means the store's setting. */
function translated(values: PlatformItem, references: References): PlatformItem {
  const named = Object.entries((values.customer_group_settings ?? {}) as PlatformItem).map(([field, value]) =>
    namingGroups.includes(field) && value ? [field, references.want('customer-groups', value) ?? 0] : [field, value],
  )
  return { ...values, customer_group_settings: Object.fromEntries(named) }
}

const kinds = [
  settings({
    key: 'customer-settings',
    label: 'Customer settings',
    data: 'catalogue',
    groups,
    channels: false,
    translated,
  }),
  settings({
    key: 'channel-customer-settings',
    label: 'Customer settings of channels',
    data: 'catalogue',
    groups,
    channels: true,
    translated,
  }),
]

export const customerSettings = defineEntity({
  key: 'customer-settings',
  label: 'Customer settings',
  group: 'customers',
  after: ['customer-groups'],
  scope: 'store',
  prune: 'never',
  components: kinds.map(({ component }) => component),
  notMoved: [],
  passes: kinds.map(({ pass }) => pass),
})
