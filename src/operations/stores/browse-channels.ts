import { z } from 'zod'
import { offsetPages } from '../../bigcommerce/pages.ts'
import { pageInput, pageOf } from '../../contract/primitives/list-page.ts'
import { storeHash } from '../../contract/stores.ts'
import { isThere } from '../../entities/core/storefront-channels.ts'
import { requireStore } from '../shared/connected-store.ts'
import { liveRead } from '../shared/live-read.ts'
import { defineOperation } from '../shared/operation.ts'
import { slicePage } from '../shared/slice-page.ts'

export const channelTypes = ['storefront', 'pos', 'marketplace', 'marketing', 'any'] as const

const channel = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  platform: z.string(),
  status: z.string(),
})

/** A channel as the platform returns it. */
export const platformChannel = z.looseObject({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  platform: z.string().default(''),
  status: z.string().default(''),
})

export const browseChannels = defineOperation({
  name: 'browse-channels',
  summary: 'Storefronts and other channels of a connected store, read live.',
  input: z.strictObject({ hash: storeHash, type: z.enum(channelTypes).default('storefront'), ...pageInput }),
  output: pageOf(channel),
  async run({ hash, type, limit, cursor }, { organisationId }, deps) {
    const store = await requireStore(deps.database, organisationId, hash)
    const client = deps.openStore(store, { readOnly: true })
    const all = await liveRead(deps.clock, async (signal) => {
      const found: z.infer<typeof channel>[] = []
      for await (const { items } of offsetPages<unknown>(client, '/v3/channels', {}, { signal }))
        for (const { id, name, type: kind, platform, status } of z.array(platformChannel).parse(items))
          found.push({ id: String(id), name, type: kind, platform, status })
      return found
    })
    const requested = all.filter((one) => isThere(one) && (type === 'any' || one.type === type))
    const cursorScope = { list: `channels of ${store.id}`, organisationId, filters: { type } }
    return slicePage(deps.keyring, cursorScope, requested, { keyOf: ({ id }) => id, limit, cursor })
  },
})
