import { z } from 'zod'
import type { StoreClient } from '../../bigcommerce/client.ts'
import { asRecord, PlatformError } from '../../bigcommerce/errors.ts'
import { platformId } from '../../contract/selection.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { storeHash } from '../../contract/stores.ts'
import { readStorefrontIds } from '../../engine/core/storefront-ids.ts'
import { pageTargets } from '../../entities/content/page-contexts.ts'
import { isThere } from '../../entities/core/storefront-channels.ts'
import { requireStore } from '../shared/connected-store.ts'
import { liveRead } from '../shared/live-read.ts'
import { defineOperation } from '../shared/operation.ts'
import { platformChannel } from './browse-channels.ts'

const filesShown = 100

export const getStorefront = defineOperation({
  name: 'get-storefront',
  summary:
    'One storefront of a connected store, read live: address, locale, theme, category tree, page templates in use.',
  input: z.strictObject({ hash: storeHash, storefront: platformId }),
  output: z.strictObject({
    id: z.string(),
    name: z.string(),
    platform: z.string(),
    status: z.string(),
    address: z.string().nullable(),
    locale: z.string().nullable(),
    theme: z.string().nullable().describe('Id of the active theme.'),
    categoryTree: z.string().nullable(),
    pageTemplates: z.array(z.string()),
  }),
  async run({ hash, storefront }, { organisationId }, deps) {
    const store = await requireStore(deps.database, organisationId, hash)
    const client = deps.openStore(store, { readOnly: true })
    return liveRead(deps.clock, (signal) => readStorefront(client, storefront, signal))
  },
})

type StoreReader = Pick<StoreClient, 'get'>

async function readStorefront(client: StoreReader, id: string, signal: AbortSignal) {
  const found = await readData(client, `/v3/channels/${id}`, signal)
  const parsed = platformChannel.safeParse(found)
  if (!parsed.success || parsed.data.type !== 'storefront' || !isThere(parsed.data))
    throw new ServiceError('not_found', 'The store has no storefront with this id; list its storefronts for their ids.')
  const { name, platform, status } = parsed.data
  const [site, theme, settings, { treeId }] = await Promise.all([
    readData(client, `/v3/channels/${id}/site`, signal),
    readData(client, `/v3/channels/${id}/active-theme`, signal),
    readData(client, `/v3/settings/store/locale?channel_id=${id}`, signal),
    readStorefrontIds(client, id, signal),
  ])
  // Only BigCommerce storefronts have a theme with templates.
  const pages = platform === 'bigcommerce' ? await pageTargets(client, Number(id), { signal }) : []
  const files = [...new Set(pages.map(({ file }) => file))].sort()
  return {
    id,
    name,
    platform,
    status,
    address: textOf(site.url),
    locale: textOf(settings.default_shopper_language),
    theme: textOf(theme.active_theme_uuid),
    categoryTree: treeId === null ? null : String(treeId),
    pageTemplates: files.slice(0, filesShown),
  }
}

/** The data at a path, or nothing if it does not exist: a new storefront has no site yet. */
async function readData(client: StoreReader, path: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const { pathname, searchParams } = new URL(path, 'https://store.invalid')
  try {
    const { body } = await client.get(pathname, Object.fromEntries(searchParams), { signal })
    return asRecord(asRecord(body).data)
  } catch (error) {
    if (error instanceof PlatformError && [404, 422].includes(error.httpStatus)) return {}
    throw error
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
