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

/**
 * 0 means no group; null means the store's setting. A group that the destination does not have is left out, so that the
 * one that its shop has chosen stays.
 */
function translated(values: PlatformItem, references: References): PlatformItem {
  const named = Object.entries(groupsIn(values)).flatMap(([field, value]) => {
    if (!namingGroups.includes(field) || !value) return [[field, value]]
    const group = references.want('customer-groups', value)
    return group === undefined ? [] : [[field, group]]
  })
  return { ...values, customer_group_settings: Object.fromEntries(named) }
}

const groupsIn = (values: PlatformItem) => (values.customer_group_settings ?? {}) as PlatformItem

/** Each group is compared by itself. */
function compared({ customer_group_settings, ...values }: PlatformItem): PlatformItem {
  return { ...values, ...groupsIn({ customer_group_settings }) }
}

/** The destination's own groups, where the source's are left out. */
function withExisting(values: PlatformItem, existing: PlatformItem): PlatformItem {
  return { ...values, customer_group_settings: { ...groupsIn(existing), ...groupsIn(values) } }
}

const kinds = [
  settings({
    key: 'customer-settings',
    label: 'Customer settings',
    data: 'catalogue',
    groups,
    channels: false,
    translated,
    compared,
    withExisting,
  }),
  settings({
    key: 'channel-customer-settings',
    label: 'Customer settings of channels',
    data: 'catalogue',
    groups,
    channels: true,
    translated,
    compared,
    withExisting,
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
