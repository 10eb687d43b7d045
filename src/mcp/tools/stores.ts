import { z } from 'zod'
import { browseChannels, channelTypes } from '../../operations/stores/browse-channels.ts'
import { browseStores } from '../../operations/stores/browse-stores.ts'
import { checkStoreAccess } from '../../operations/stores/check-store-access.ts'
import { getStoreOverview } from '../../operations/stores/get-store-overview.ts'
import { getStorefront } from '../../operations/stores/get-storefront.ts'
import { briefShape, describeBriefly } from '../run-entry.ts'
import { count, listOf, maybe, page, store, text } from '../shapes.ts'
import { defineTool } from '../tool.ts'

const storeShape = {
  hash: text,
  untrusted_label: text,
  platform: text,
  connected_at: text,
  runs_as_source: count,
  runs_as_destination: count,
  last_run_at: maybe,
}

function describeStore<Labelled extends { label: string }>({ label, ...rest }: Labelled) {
  return { ...rest, untrusted_label: label }
}

function describeSize(
  seen: { at: string; products: number; variants: number; brands: number; categories: number } | null,
) {
  if (!seen) return null
  const { at, ...counts } = seen
  return { at, counts }
}

export const listStores = defineTool({
  name: 'list_stores',
  title: 'List stores',
  about: 'Connected stores with their hashes, and how often each was source or destination. Other tools take the hash.',
  input: z.strictObject({
    role_hint: z.enum(['source', 'destination', 'unused']).optional().describe('By use so far'),
    query: z.string().max(255).optional().describe('Part of label or hash'),
    ...page,
  }),
  output: listOf('stores', z.strictObject(storeShape)),
  async answer({ role_hint: roleHint, query, limit, cursor }, { read }) {
    const { items, nextCursor } = await read(browseStores, { roleHint, text: query, limit, cursor })
    return { stores: items.map(describeStore), nextCursor }
  },
})

export const getStore = defineTool({
  name: 'get_store',
  title: 'Get store',
  about:
    'One store from our records: last known size and latest runs. To check that it responds use check_store_access, for current counts count_catalog.',
  subject: 'store',
  input: z.strictObject({ store }),
  output: z.strictObject({
    ...storeShape,
    last_seen: z.strictObject({ at: text, counts: z.record(z.string(), count) }).optional(),
    recent_runs: z.array(briefShape),
  }),
  async answer({ store: hash }, { read }) {
    const { store: found, lastSeen, recentRuns } = await read(getStoreOverview, { hash })
    return { ...describeStore(found), lastSeen: describeSize(lastSeen), recentRuns: recentRuns.map(describeBriefly) }
  },
})

export const checkStoreAccessTool = defineTool({
  name: 'check_store_access',
  title: 'Check store access',
  about: 'Checks a store live: whether it responds, how fast, and which scopes its API token lacks.',
  live: true,
  subject: 'store',
  input: z.strictObject({ store }),
  output: z.strictObject({
    reachable: z.boolean(),
    latency_ms: count.optional(),
    missing_scopes: z.array(text),
    checked_at: text,
  }),
  answer: ({ store: hash }, { read }) => read(checkStoreAccess, { hash }),
})

export const listStorefronts = defineTool({
  name: 'list_storefronts',
  title: 'List storefronts',
  about: 'Storefronts (or other channels) of a store, read live.',
  live: true,
  subject: 'store',
  input: z.strictObject({ store, type: z.enum(channelTypes).default('storefront'), ...page }),
  output: listOf(
    'storefronts',
    z.strictObject({ id: text, untrusted_name: text, type: text, untrusted_platform: text, status: text }),
  ),
  async answer({ store: hash, type, limit, cursor }, { read }) {
    const { items, nextCursor } = await read(browseChannels, { hash, type, limit, cursor })
    const storefronts = items.map(({ name, platform, ...rest }) => ({
      ...rest,
      untrusted_name: name,
      untrusted_platform: platform,
    }))
    return { storefronts, nextCursor }
  },
})

export const getStorefrontTool = defineTool({
  name: 'get_storefront',
  title: 'Get storefront',
  about: 'One storefront, read live: address, locale, active theme, category tree, page templates in use.',
  live: true,
  subject: 'storefront',
  input: z.strictObject({ store, storefront_id: z.string().max(15).describe('id from list_storefronts') }),
  output: z.strictObject({
    id: text,
    untrusted_name: text,
    untrusted_platform: text,
    status: text,
    untrusted_address: maybe,
    locale: maybe,
    theme_id: maybe,
    category_tree_id: maybe,
    untrusted_page_templates: z.array(text),
  }),
  async answer({ store: hash, storefront_id: storefront }, { read }) {
    const found = await read(getStorefront, { hash, storefront })
    return {
      id: found.id,
      untrusted_name: found.name,
      untrusted_platform: found.platform,
      status: found.status,
      untrusted_address: found.address,
      locale: found.locale,
      themeId: found.theme,
      categoryTreeId: found.categoryTree,
      untrusted_page_templates: found.pageTemplates,
    }
  },
})
