import { offsetPages } from '../../bigcommerce/pages.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import type { Reading } from '../core/reading.ts'
import { identity, type References } from '../core/references.ts'
import { savedByKey } from '../core/saved-by-key.ts'
import { leftOutWithChannel } from '../core/storefront-channels.ts'

const path = '/v3/channels/currency-assignments'

const reading: Reading = { path, kind: 'staged', limit: 250, idField: 'channel_id' }

/** Every channel has currencies: its own, or the store's. So nothing is created, only updated. */
function assignmentDraft(
  { channel_id, enabled_currencies, default_currency }: PlatformItem,
  references: References,
): Draft {
  const channel = references.find('channels', channel_id)
  const enabled: unknown[] = Array.isArray(enabled_currencies) ? enabled_currencies : []
  const body = { enabled_currencies: enabled, default_currency }
  return draft(
    'channel-currencies',
    channel_id,
    { channel_id: channel, ...body },
    {
      compare: { ...body, enabled_currencies: enabled.map(String).sort() },
      keys: channel === undefined ? [] : [`channel:${channel}`],
      name: `Channel ${channel_id}`,
      ...(channel === undefined && leftOutWithChannel),
    },
  )
}

/** The call is the same whether or not the channel already has its own currencies. */
const put = (body: PlatformItem) => ({ method: 'PUT' as const, path, body: [body] })

export const channelCurrencies = defineEntity({
  key: 'channel-currencies',
  label: 'Currencies of channels',
  group: 'settings',
  after: [],
  scope: 'storefront',
  prune: 'never',
  components: [
    {
      key: 'channel-currencies',
      label: 'Currencies of channels',
      data: 'catalogue',
      recovery: 'resend',
      naturalKey: 'channel',
      destinationOwned: [],
      carried: false,
      create: {
        batch: 1,
        call: ([only]) => put(only?.draft.body ?? {}),
        results: (_status, body, drafts) =>
          savedByKey(body, drafts, { read: (item) => assignmentDraft(item, identity) }),
      },
      update: { call: (desired) => put(desired.body) },
      probe: async (client) => {
        const found: Draft[] = []
        for await (const { items } of offsetPages<PlatformItem>(client, path))
          found.push(...items.map((item) => assignmentDraft(item, identity)))
        return found
      },
      callsPerItem: { write: 1 },
    },
  ],
  notMoved: [],
  passes: [
    {
      key: 'channel-currencies',
      label: 'Currencies of channels',
      root: 'channel-currencies',
      about: { field: 'channel_id', component: 'channels' },
      source: reading,
      destination: { ...reading, complete: true },
      drafts: assignmentDraft,
    },
  ],
})
