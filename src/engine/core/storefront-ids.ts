import { z } from 'zod'
import type { StoreClient } from '../../bigcommerce/client.ts'
import type { StorefrontIds } from '../../entities/core/pass.ts'

const treePage = z.looseObject({ data: z.array(z.looseObject({ id: z.int() })) })

/** Where a storefront keeps its categories; a channel has one tree at most. Source: Category Trees, `channel_id:in`. */
export async function readStorefrontIds(
  client: Pick<StoreClient, 'get'>,
  storefront: string,
  signal: AbortSignal,
): Promise<StorefrontIds> {
  const answer = await client.get('/v3/catalog/trees', { 'channel_id:in': storefront }, { signal })
  return { channelId: Number(storefront), treeId: treePage.parse(answer.body).data[0]?.id ?? null }
}
