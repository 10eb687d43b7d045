import type { Answer, StoreClient } from '../bigcommerce/client.ts'
import { readQuota } from '../bigcommerce/quota-headers.ts'
import type { Clock } from '../clock.ts'
import type { Forecast } from '../contract/migration.ts'
import type { Database } from '../db/database.ts'
import { findLatencies, listUnpriced, saveForecast } from '../db/forecasts.ts'
import { findRun } from '../db/runs.ts'
import { countScope } from '../db/scope-items.ts'
import { findStore, type StoreRow } from '../db/stores.ts'
import {
  defaultLatencies,
  forecastOf,
  type Latencies,
  type Scope,
  type ScopedCounts,
  type StoreCounts,
} from '../model/forecast.ts'
import { totalOf, variantsOf } from './store-totals.ts'
import { readPlace } from './storefront-place.ts'

export interface PricingDeps {
  database: Database
  clock: Clock
  log: { warn(fields: object, message: string): void }
  openStore(store: StoreRow, options: { readOnly: boolean }): Pick<StoreClient, 'get'>
}

/** A forecast without counts is better than none for longer than this. Source: design 5.2. */
const patienceMs = 10_000

/** What is priced of the source: picked items with what they need, or what one storefront has; else all of it. */
export interface PartOfStore {
  items: Record<string, number> | null
  storefront: string | null
}

/** Asks both stores and prices a scope; never longer than 10 s, and then from defaults. */
export async function priceScope(
  deps: PricingDeps,
  scope: Scope,
  stores: { source: StoreRow; destination: StoreRow },
  part: PartOfStore = { items: null, storefront: null },
): Promise<Forecast> {
  const latencies = await findLatencies(deps.database, {
    organisationId: stores.source.organisationId,
    sourceStoreId: stores.source.id,
    destinationStoreId: stores.destination.id,
  })
  const [source, destination] = await within(deps.clock, patienceMs, (signal) =>
    Promise.all([
      orNull(deps, stores.source, (client) => askSource(client, signal, part)),
      // A run that only counts has nothing to ask of the destination.
      scope.mode === 'counts' ? null : orNull(deps, stores.destination, (client) => askDestination(client, signal)),
    ]),
  )
  return forecastOf(
    scope,
    {
      counts: source?.counts ?? null,
      scoped: source?.scoped,
      destProducts: destination?.products,
      latencies: latencies ?? probedLatencies([...(source?.latenciesMs ?? []), ...(destination?.latenciesMs ?? [])]),
      quotas: { source: source?.callsPerSecond, destination: destination?.callsPerSecond },
    },
    deps.clock.now(),
  )
}

/** Prices one run and stores it; a run that has a price keeps it. */
export async function priceRun(deps: PricingDeps, organisationId: string, runId: string): Promise<void> {
  const run = await findRun(deps.database, organisationId, runId)
  if (!run || run.forecast) return
  const source = await findStore(deps.database, organisationId, run.source.hash)
  const destination = await findStore(deps.database, organisationId, run.destination.hash)
  if (!source || !destination) return
  const scope = { mode: run.mode, strategy: run.conflictStrategy, phases: run.phases }
  const items = run.selective ? await countScope(deps.database, runId) : null
  const forecast = await priceScope(deps, scope, { source, destination }, { items, storefront: run.sourceStorefront })
  await deps.database.transaction().execute((tx) => saveForecast(tx, run, forecast))
}

/** For a host's tick: prices what a server left unpriced because it died while it was asking. */
export async function priceUnpriced(deps: PricingDeps): Promise<void> {
  const unpriced = await listUnpriced(deps.database, patienceMs / 1000 + 2)
  // Side by side, so that silent stores hold up the tick for 10 s and not for 10 s each.
  await Promise.all(unpriced.map(({ organisationId, id }) => priceRun(deps, organisationId, id)))
}

interface Asked {
  callsPerSecond: number | undefined
  latenciesMs: number[]
}

async function askSource(
  client: Pick<StoreClient, 'get'>,
  signal: AbortSignal,
  part: PartOfStore,
): Promise<Asked & { counts: StoreCounts; scoped: ScopedCounts | undefined }> {
  const [products, summary, categories, brands] = await Promise.all([
    client.get('/v3/catalog/products', { limit: 1, include_fields: 'id' }, { signal }),
    client.get('/v3/catalog/summary', {}, { signal }),
    client.get('/v3/catalog/trees/categories', { limit: 1 }, { signal }),
    client.get('/v3/catalog/brands', { limit: 1 }, { signal }),
  ])
  const counts = {
    products: totalOf(products),
    variants: variantsOf(summary),
    categories: totalOf(categories),
    brands: totalOf(brands),
  }
  const scoped = await countPart(client, signal, counts, part)
  return { counts, scoped, ...observed([products, summary, categories, brands]) }
}

/** Nobody counts the variants of some products: they are taken to have as many as the others. */
async function countPart(
  client: Pick<StoreClient, 'get'>,
  signal: AbortSignal,
  whole: StoreCounts,
  { items, storefront }: PartOfStore,
): Promise<ScopedCounts | undefined> {
  const perProduct = whole.products === 0 ? 0 : whole.variants / whole.products
  const withVariants = (products: number, categories: number, brands: number): ScopedCounts => ({
    counts: { products, categories, brands, variants: Math.round(products * perProduct) },
    estimated: ['product-variants'],
  })
  if (items) return withVariants(items.products ?? 0, items.categories ?? 0, items.brands ?? 0)
  if (storefront === null) return undefined
  const { treeId } = await readPlace(client, storefront, signal)
  const products = client.get('/v3/catalog/products', { limit: 1, 'channel_id:in': storefront }, { signal })
  const categories =
    treeId && client.get('/v3/catalog/trees/categories', { limit: 1, 'tree_id:in': treeId }, { signal })
  const [sold, listed] = await Promise.all([products, categories])
  return withVariants(totalOf(sold), listed ? totalOf(listed) : 0, whole.brands)
}

async function askDestination(
  client: Pick<StoreClient, 'get'>,
  signal: AbortSignal,
): Promise<Asked & { products: number }> {
  const products = await client.get('/v3/catalog/products', { limit: 1, include_fields: 'id' }, { signal })
  return { products: totalOf(products), ...observed([products]) }
}

/** Part of the quota that is left to the merchant's other apps, as the governor leaves it. */
const reserve = 0.1

function observed(answers: Answer[]): Asked {
  const quota = answers.map(({ headers }) => readQuota(headers)).find((read) => read !== null)
  return {
    callsPerSecond: quota ? (quota.quota * (1 - reserve)) / (quota.windowMs / 1000) : undefined,
    latenciesMs: answers.map(({ latencyMs }) => latencyMs),
  }
}

/** Only reads can be tried without touching a store; writes are taken to be slower by the usual ratio. Our choice. */
function probedLatencies(probesMs: number[]): Latencies | undefined {
  const median = probesMs.toSorted((a, b) => a - b)[Math.floor(probesMs.length / 2)]
  if (median === undefined) return undefined
  const ratio = Math.max(1, median) / defaultLatencies.read
  return {
    read: Math.max(1, Math.round(median)),
    write: Math.round(defaultLatencies.write * ratio),
    heavy: Math.round(defaultLatencies.heavy * ratio),
  }
}

/** A store that cannot be asked is the engine's to report when the run starts; here it only costs the exact price. */
async function orNull<Answered>(
  deps: PricingDeps,
  store: StoreRow,
  ask: (client: Pick<StoreClient, 'get'>) => Promise<Answered>,
): Promise<Answered | null> {
  try {
    return await ask(deps.openStore(store, { readOnly: true }))
  } catch (error) {
    deps.log.warn({ err: error, storeId: store.id }, 'A store could not be counted; the forecast uses defaults for it.')
    return null
  }
}

async function within<Done>(clock: Clock, ms: number, work: (signal: AbortSignal) => Promise<Done>): Promise<Done> {
  const late = new AbortController()
  const done = new AbortController()
  const alarm = clock.sleep(ms, done.signal).then(
    () => late.abort(new Error(`No answer within ${ms} ms.`)),
    () => undefined, // the work was done first
  )
  try {
    return await work(late.signal)
  } finally {
    done.abort()
    await alarm
  }
}
