import { z } from 'zod'
import type { StoreClient } from '../../bigcommerce/client.ts'
import { platformId } from '../../contract/selection.ts'
import { storeHash } from '../../contract/stores.ts'
import { everySiteWide, pageTargets } from '../../entities/content/page-contexts.ts'
import { themedChannels } from '../../entities/core/storefront-channels.ts'
import { requireStore } from '../shared/connected-store.ts'
import { liveRead } from '../shared/live-read.ts'
import { defineOperation } from '../shared/operation.ts'
import { refuseUnknownStorefront } from '../shared/storefront-reader.ts'

const pageTemplate = z.strictObject({
  file: z.string(),
  pages: z.int().describe('Pages of all storefronts that may have content of their own. The home page always may.'),
})

export const listPageTemplates = defineOperation({
  name: 'list-page-templates',
  summary: 'Template files whose pages have content of their own, as `selection.pageTemplates` picks them; read live.',
  input: z.strictObject({ hash: storeHash, storefront: platformId.optional() }),
  output: z.strictObject({
    items: z.array(pageTemplate),
    siteWide: z.boolean().describe('Whether a storefront has widgets on all pages.'),
  }),
  async run({ hash, storefront }, { organisationId }, deps) {
    const store = await requireStore(deps.database, organisationId, hash)
    const client = deps.openStore(store, { readOnly: true })
    const found = await liveRead(deps.clock, (signal) => readTemplates(client, storefront, signal))
    if (found.items.length === 0) await refuseUnknownStorefront(deps.storefronts, store, storefront)
    return found
  },
})

async function readTemplates(client: Pick<StoreClient, 'get'>, storefront: string | undefined, signal: AbortSignal) {
  const channels = await themedChannels(client, storefront, { signal })
  const targets = (await Promise.all(channels.map((id) => pageTargets(client, id, { signal })))).flat()
  const pages = new Map<string, number>()
  for (const { file } of targets) pages.set(file, (pages.get(file) ?? 0) + 1)
  const items = [...pages].map(([file, count]) => ({ file, pages: count }))
  return {
    items: items.sort((one, other) => one.file.localeCompare(other.file, 'en')),
    siteWide: await hasSiteWide(client, storefront, signal),
  }
}

async function hasSiteWide(client: Pick<StoreClient, 'get'>, storefront: string | undefined, signal: AbortSignal) {
  const query = storefront === undefined ? {} : { channel_id: storefront }
  for await (const { items } of everySiteWide(client, '', query, { signal })) if (items.length > 0) return true
  return false
}
