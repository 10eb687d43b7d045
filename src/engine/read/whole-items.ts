import type { StoreClient } from '../../bigcommerce/client.ts'
import { completePages } from '../../bigcommerce/complete-pages.ts'
import { PlatformError } from '../../bigcommerce/errors.ts'
import { isV2 } from '../../bigcommerce/pages.ts'
import type { Query } from '../../bigcommerce/query.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import { detailsOf, type Pass } from '../../entities/core/pass.ts'
import type { RunContext } from '../context/context.ts'
import { asStorefrontSees } from '../scope/storefront-scope.ts'
import { mayHaveLists } from './named-items.ts'

/** Items of either store as a pass needs them: with their details, and as the run's storefront sees them. */
export async function itemsOfPass(
  context: RunContext,
  side: 'source' | 'destination',
  pass: Pass,
  rows: PlatformItem[],
  { listed = false } = {},
): Promise<PlatformItem[]> {
  const whole = await wholeItems(context, side, pass, onceEach(rows, pass[side].idField), { listed })
  const seen = await asStorefrontSees(context, side, pass, whole, { byId: side === 'destination' && !listed })
  // All that an item holds may belong to other storefronts.
  return pass.holds ? seen.filter(pass.holds) : seen
}

/** A list that changes while it is read may show an item twice, even on one page: its last version is taken. */
function onceEach(rows: PlatformItem[], idField: string): PlatformItem[] {
  return [...new Map(rows.map((row) => [row[idField], row])).values()]
}

/**
 * Adds the details that no list shows, and drops items that hold nothing for the pass.
 *
 * @param listed the items were read with their whole list: details are read only of those that may have some. Items
 * read by id are few, and may have gained details since.
 */
async function wholeItems(
  context: RunContext,
  side: 'source' | 'destination',
  pass: Pass,
  items: PlatformItem[],
  { listed = false } = {},
): Promise<PlatformItem[]> {
  const details = detailsOf(pass, context.run)
  const ids = items.map((item) => String(item[pass.source.idField]))
  const having = listed ? await mayHaveLists(context, side, pass, ids) : new Set(ids)
  const from = { client: context[side], signal: context.lease.stop }
  const whole =
    details.length > 0 ? await Promise.all(items.map((item) => withDetails(from, pass, item, details, having))) : items
  return pass.holds ? whole.filter(pass.holds) : whole
}

/** What details are read from. */
interface From {
  client: Pick<StoreClient, 'get'>
  signal: AbortSignal
}

/** @param having ids of the items that may have details which only some items have. Absent: all may. */
export async function withDetails(
  from: From,
  { source: { idField } }: Pass,
  item: PlatformItem,
  details: Details,
  having?: ReadonlySet<string>,
): Promise<PlatformItem> {
  const whole = { ...item }
  const id = String(item[idField])
  for (const { field, path, query, mayHave, namedBy, isWhole, ...reading } of details) {
    if (!mayHave(item)) continue
    if (namedBy && having?.has(id) === false) {
      whole[field] = []
      continue
    }
    const read = () => detailOf(from, path(id), query?.(id) ?? {}, reading)
    const rows = await read()
    // Lists of v2 have no count: one that ends early looks like a short one.
    whole[field] = isWhole?.(item, rows) === false ? await read() : rows
  }
  return whole
}

type Details = NonNullable<Pass['details']>

/** Empty if the owner was deleted meanwhile; that is noticed elsewhere. */
async function detailOf(
  { client, signal }: From,
  path: string,
  query: Query,
  { listed, idField, keeps = () => true }: Pick<Details[number], 'listed' | 'idField' | 'keeps'>,
): Promise<PlatformItem[]> {
  const found: PlatformItem[] = []
  // Whether a v2 list is complete can be seen from its item: a second call for each item would be too many.
  const options = { signal, once: isV2(path), ...(idField !== undefined && { idOf: idField }) }
  try {
    if (listed) return listed((await client.get(path, query, { signal })).body).filter(keeps)
    for await (const { items } of completePages<PlatformItem>(client, path, query, options))
      found.push(...items.filter(keeps))
  } catch (error) {
    if (!(error instanceof PlatformError) || error.httpStatus !== 404) throw error
  }
  return found
}
