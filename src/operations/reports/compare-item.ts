import { z } from 'zod'
import type { StoreClient } from '../../bigcommerce/client.ts'
import { PlatformError } from '../../bigcommerce/errors.ts'
import { readStoreInformation } from '../../bigcommerce/store-information.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { storeHash } from '../../contract/stores.ts'
import { findMovedState } from '../../db/addresses/moved-addresses.ts'
import type { Database } from '../../db/core/database.ts'
import { type StorePair, storefrontsOf } from '../../db/ledger/store-pair.ts'
import { findMappings } from '../../db/reports/item-history.ts'
import { fieldDifferences, pairUp } from '../../engine/core/pairing.ts'
import { MappingBook, ReferenceBook } from '../../engine/core/references.ts'
import { movesOf } from '../../engine/finish/shop-moves.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { identity, MissingReference } from '../../entities/core/references.ts'
import { channelsAt } from '../../entities/core/storefront-channels.ts'
import { currencies, paidCurrencies } from '../../entities/pricing/currencies.ts'
import { componentOf } from '../../entities/registry.ts'
import { browsableEntities, catalogItem, describeItem, isOpen, passOf, readItem } from '../shared/catalog-item.ts'
import { liveRead } from '../shared/live-read.ts'
import { defineOperation } from '../shared/operation.ts'
import { findPair } from '../shared/runs/run-scope.ts'

const differencesShown = 100
/** More than there are stores and storefronts that one item is copied to. */
const mostCopies = 100

const difference = z.strictObject({
  component: z.string(),
  kind: z.enum(['missing', 'different', 'extra']),
  sourceId: z.string().nullable(),
  destinationId: z.string().nullable(),
  fields: z.array(
    z.strictObject({ path: z.string(), living: z.boolean(), source: z.unknown(), destination: z.unknown() }),
  ),
})
type Difference = z.infer<typeof difference>

export const compareItem = defineOperation({
  name: 'compare-item',
  summary: 'A source item and its copy, field by field, both read live.',
  input: z
    .strictObject({
      source: storeHash,
      destination: storeHash,
      entity: z.enum(browsableEntities),
      sourceItemId: z.string().max(100),
      destinationItemId: z.string().max(100).optional(),
    })
    .refine(({ source, destination }) => source !== destination, {
      path: ['destination'],
      message: 'Must not be the source; name the other store.',
    }),
  output: z.strictObject({
    state: z.enum(['equal', 'different', 'not_copied', 'missing_at_destination']),
    item: catalogItem,
    destinationId: z.string().nullable(),
    missingReference: z.strictObject({ component: z.string(), id: z.string() }).nullable(),
    differences: z.array(difference),
  }),
  async run({ entity, sourceItemId, destinationItemId, ...pair }, { organisationId }, deps) {
    const stores = await findPair(deps.database, organisationId, pair)
    const pass = passOf(entity)
    const [source, destination] = [stores.source, stores.destination].map((one) =>
      deps.openStore(one, { readOnly: true }),
    )
    if (!source || !destination) throw new TypeError('A pair has two stores.')
    const ids = { organisationId, sourceStoreId: stores.source.id, destinationStoreId: stores.destination.id }
    const copied = { component: pass.root, sourceId: sourceItemId, destinationId: destinationItemId ?? null }
    const copies = new MappingBook(deps.database, ids, await storefrontsOfCopy(deps.database, ids, copied))
    return liveRead(deps.clock, async (signal) => {
      const item = await readItem(source, pass, sourceItemId, signal)
      if (!item) throw new ServiceError('not_found', 'The source has no such item.')
      const [from, to] = await Promise.all([source, destination].map((one) => readStoreInformation(one, { signal })))
      // Links in the copy lead to its own shop, which is no difference.
      if (!from || !to) throw new TypeError('A pair has two stores.')
      const book = new ReferenceBook(copies, {
        sourceHash: stores.source.hash,
        originals: null,
        moves: movesOf({ source: from, destination: to }, { source: null, destination: null }, new Map()),
        anyMoved: (await findMovedState(deps.database, ids)).any,
        defaultCurrency: to.currency,
        ...(pass.needsOpenChannel && { channels: { destination: await channelsOrNone(destination, signal) } }),
        ...(entity === currencies.key && { paidCurrencies: await paidCurrencies(destination, signal) }),
      })
      const [resolved] = await book.resolve(pass, [item])
      const desired = resolved && !(resolved instanceof MissingReference) ? resolved.draft : pass.drafts(item, identity)
      const missing = resolved instanceof MissingReference ? resolved : null
      const missingReference = missing && { component: missing.component, id: missing.sourceId }
      const known = await book.mappings([{ component: pass.root, sourceId: sourceItemId }])
      const id = destinationItemId ?? known.get(`${pass.root}:${sourceItemId}`)?.destinationId
      const described = { item: describeItem(desired), missingReference }
      if (id === undefined) return { ...described, state: 'not_copied' as const, destinationId: null, differences: [] }
      const existing = await readItem(destination, pass, id, signal)
      if (!existing)
        return { ...described, state: 'missing_at_destination' as const, destinationId: id, differences: [] }
      const differences = compareTrees(desired, pass.drafts(existing, identity))
      const state = differences.length > 0 ? ('different' as const) : ('equal' as const)
      return { ...described, state, destinationId: id, differences: differences.slice(0, differencesShown) }
    })
  },
})

/** None if the store refuses the list: the rest of the item can still be compared. */
async function channelsOrNone(client: StoreClient, signal: AbortSignal): Promise<readonly PlatformItem[]> {
  try {
    return await channelsAt(client, { signal })
  } catch (error) {
    if (error instanceof PlatformError) return []
    throw error
  }
}

/** What only one storefront has is copied apart for each pair of storefronts (D3): those of the copy, or of the latest one. */
async function storefrontsOfCopy(
  database: Database,
  pair: StorePair,
  copied: { component: string; sourceId: string; destinationId: string | null },
) {
  const mappings = await findMappings(database, { ...pair, ...copied }, mostCopies)
  const latest = mappings.find(({ destinationStoreId }) => destinationStoreId === pair.destinationStoreId)
  return storefrontsOf(latest?.scope ?? '')
}

/** Compares as a verify run does. */
function compareTrees(desired: Draft, existing: Draft): Difference[] {
  const { pairs, extra } = pairUp(desired.children, existing.children)
  const { destinationOwned: living } = componentOf(desired.component)
  const open = isOpen(desired.component)
  const fields = fieldDifferences(desired.compare, existing.compare).map(({ path, source, destination }) => ({
    path,
    living: living.includes(path),
    // For personal and secret data, only the name of the field is returned (S9).
    source: open ? source : null,
    destination: open ? destination : null,
  }))
  return [
    ...(fields.length > 0
      ? [describeDifferences('different', desired.component, desired.id, existing.id, fields)]
      : []),
    ...pairs.flatMap((pair) =>
      pair.existing
        ? compareTrees(pair.desired, pair.existing)
        : [describeDifferences('missing', pair.desired.component, pair.desired.id, null)],
    ),
    ...extra.map((one) => describeDifferences('extra', one.component, null, one.id)),
  ]
}

function describeDifferences(
  kind: Difference['kind'],
  component: string,
  sourceId: string | null,
  destinationId: string | null,
  fields: Difference['fields'] = [],
): Difference {
  return { component, kind, sourceId, destinationId, fields }
}
