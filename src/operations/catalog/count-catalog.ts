import { z } from 'zod'
import { storeHash } from '../../contract/stores.ts'
import type { StoreRow } from '../../db/accounts/stores.ts'
import { countingCalls } from '../../engine/forecast/counting-calls.ts'
import { lengthOf } from '../../engine/read/store-totals.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { entities as everyEntity } from '../../entities/registry.ts'
import { browsableEntities, passOf, type StoreReader } from '../shared/catalog-item.ts'
import { requireStore } from '../shared/connected-store.ts'
import { liveRead } from '../shared/live-read.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'

/** How many pages are read of a list without a total. */
const mostPages = 4
const usual = ['categories', 'brands', 'products']
const countable = new Map(
  everyEntity.flatMap(({ components }) =>
    components.flatMap(({ key, countAll }) => (countAll ? [[key, countAll] as const] : [])),
  ),
)

const counted = z.strictObject({
  hash: z.string(),
  counts: z.record(z.string(), z.int()),
  estimated: z.array(z.string()).describe('Keys of counts that are not exact.'),
})

export const countCatalog = defineOperation({
  name: 'count-catalog',
  summary: 'How many items a connected store has, read live; or two stores side by side.',
  input: z
    .strictObject({
      hash: storeHash,
      compareWith: storeHash.optional(),
      entities: z
        .array(z.enum([...browsableEntities, ...countable.keys()]))
        .min(1)
        .max(20)
        .default([...usual, ...countable.keys()]),
    })
    .refine(({ hash, compareWith }) => compareWith !== hash, {
      path: ['compareWith'],
      message: 'Must not be the same store; name another one, or leave it out.',
    }),
  output: z.strictObject({ stores: z.array(counted), countedAt: z.iso.datetime() }),
  async run({ hash, compareWith, entities }, { organisationId }, deps) {
    const hashes = compareWith === undefined ? [hash] : [hash, compareWith]
    const stores = await Promise.all(hashes.map((one) => requireStore(deps.database, organisationId, one)))
    const requested = [...new Set(entities)]
    const counts = await Promise.all(stores.map((store) => countStore(store, requested, deps)))
    return { stores: counts, countedAt: deps.clock.now().toISOString() }
  },
})

async function countStore(store: StoreRow, entities: string[], deps: Deps): Promise<z.infer<typeof counted>> {
  const client = deps.openStore(store, { readOnly: true })
  const found = await liveRead(deps.clock, (signal) =>
    Promise.all(entities.map(async (key) => ({ key, ...(await countOne(client, key, signal)) }))),
  )
  const known = found.flatMap(({ key, count }) => (count === undefined ? [] : [[key, count] as const]))
  return {
    hash: store.hash,
    counts: Object.fromEntries(known),
    estimated: found.filter(({ exact }) => !exact).map(({ key }) => key),
  }
}

async function countOne(
  client: StoreReader,
  key: string,
  signal: AbortSignal,
): Promise<{ count: number | undefined; exact: boolean }> {
  const countAll = countable.get(key)
  if (countAll) return { count: await countAll(client, signal), exact: true }
  const { source }: Pass = passOf(key)
  const counted = countingCalls(client)
  const count = await lengthOf(counted.client, source, { signal, mostPages })
  // At the page limit the count is a lower bound, because the list goes on.
  return { count, exact: source.usually === undefined && counted.calls() < mostPages }
}
