import { z } from 'zod'
import type { StoreClient } from '../../bigcommerce/client.ts'
import type { StorefrontIds } from '../../entities/core/pass.ts'

const treePage = z.looseObject({ data: z.array(z.looseObject({ id: z.int() })) })

/** A storefront with its category tree; a channel has one tree at most. Source: Category Trees, `channel_id:in`. */
export async function readStorefrontIds(
  client: Pick<StoreClient, 'get'>,
  storefront: string,
  signal: AbortSignal,
): Promise<StorefrontIds> {
  const answer = await client.get('/v3/catalog/trees', { 'channel_id:in': storefront }, { signal })
  return { channelId: Number(storefront), treeId: treePage.parse(answer.body).data[0]?.id ?? null }
}

/** The storefront of a store that a storefront run covers. */
export type RunStorefront = () => Promise<StorefrontIds>

/** Reads the storefront once. As long as it has no tree it is read again, because the run may create one. */
export function createRunStorefront(
  client: Pick<StoreClient, 'get'>,
  storefront: string | null,
  signal: AbortSignal,
): RunStorefront {
  let known: StorefrontIds | undefined
  return async () => {
    if (!known || known.treeId === null) known = await readStorefrontIds(client, storefront ?? '', signal)
    return known
  }
}
