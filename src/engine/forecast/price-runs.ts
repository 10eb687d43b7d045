import { z } from 'zod'
import { CredentialsError, PlatformError } from '../../bigcommerce/errors.ts'
import type { Clock } from '../../clock.ts'
import { findStore, type StoreRow } from '../../db/accounts/stores.ts'
import type { Database } from '../../db/core/database.ts'
import { listUnpriced, saveForecast } from '../../db/runs/forecasts.ts'
import { findRun } from '../../db/runs/runs.ts'
import { countScope } from '../../db/runs/scope-items.ts'
import { saveSurvey } from '../../db/runs/surveys.ts'
import { detailsOf, type Pass } from '../../entities/core/pass.ts'
import { componentOf, entities, forecastComponent, phasesNamedBy } from '../../entities/registry.ts'
import type { PassShape } from '../../model/forecast/calls.ts'
import type { StoreLatencies } from '../../model/forecast/duration.ts'
import {
  defaultCounts,
  defaultLatencies,
  type Price,
  priceOf,
  type ScopedCounts,
  type StoreCounts,
} from '../../model/forecast/forecast.ts'
import type { Scope } from '../../model/forecast/scope.ts'
import { openingCalls } from '../preflight/opening-calls.ts'
import { totalOf } from '../read/store-totals.ts'
import { distinctRequests } from './distinct-requests.ts'
import { lastSurvey, stillHolds } from './last-survey.ts'
import type { StoreReader } from './list-totals.ts'
import { historyOf, type PairHistory, pairOf, type Stores } from './pair-history.ts'
import { countPart, isWhole, type PartOfStore, productsPath, shapesInPart, withoutUnread } from './part-of-store.ts'
import { type SurveyedPass, usualShapes } from './pass-shape.ts'
import { choicesKey, priceKey } from './price-key.ts'
import { surveyPasses } from './store-survey.ts'
import { Watched } from './watched-store.ts'

export interface PricingDeps {
  database: Database
  clock: Clock
  log: { warn(fields: object, message: string): void }
  openStore(store: StoreRow, options: { readOnly: boolean }): StoreReader
  /** Gives back the claims on these stores' quotas, so that the run can use all of their quotas at once (E4). */
  leaveStores(hashes: string[]): Promise<void>
}

/** After this, a forecast without counts is better than a longer wait. */
const patienceMs = 10_000

/** A price, and the reason if a store was not read for it. */
export type ExplainedPrice = Price & {
  fallbackReason: string | null
  /** Whether the lists of both stores were read. */
  surveyed: boolean
  /** What was read of them, for the forecast of the next run between them; null if it was not everything. */
  survey: readonly PassShape[] | null
}

/** Prices that were shown lately, by what decides them. */
export interface PriceMemory {
  find?(key: string): ExplainedPrice | undefined
  keep?(key: string, price: ExplainedPrice): void
}

/**
 * Prices a scope from what both stores show within 10 s; defaults replace what is missing by then.
 *
 * @param memory a price that it finds is taken instead, and it keeps a new one
 * @param options.quick between stores that were copied before, the last survey is taken over, and long lists alone are
 *   counted again
 */
export async function priceScope(
  deps: PricingDeps,
  scope: Scope,
  stores: Stores,
  part: PartOfStore = { items: null, storefront: null },
  memory: PriceMemory = {},
  { quick = false } = {},
): Promise<ExplainedPrice> {
  const history = await historyOf(deps.database, scope, stores)
  const { id: sourceId, organisationId } = stores.source
  const key = priceKey({ ...part, organisationId, storeIds: [sourceId, stores.destination.id], scope, history })
  const shown = memory.find?.(key)
  if (shown) return shown
  const passes = passesOf(scope)
  const last = quick && isWhole(part) ? await lastSurvey(deps.database, scope, stores, { passes, history }) : null
  const priced = await priceAnew(deps, scope, stores, { part, history, passes, last })
  if (priced.surveyed) memory.keep?.(key, priced)
  return priced
}

async function priceAnew(
  deps: PricingDeps,
  scope: Scope,
  stores: Stores,
  { part, history, passes, last }: Pick<Surveying, 'part' | 'passes' | 'last'> & { history: PairHistory },
): Promise<ExplainedPrice> {
  const source = new Watched(openOrNull(deps, stores.source), deps.clock)
  const destination = new Watched(openOrNull(deps, stores.destination), deps.clock)
  const found = await within(deps.clock, patienceMs, (signal) =>
    survey(
      deps,
      stores,
      { source: distinctRequests(source), destination: distinctRequests(destination) },
      { ...history, scope, passes, part, last, oneStorefront: part.storefront !== null, signal },
    ),
  )
  await deps.leaveStores([stores.source.hash, stores.destination.hash])
  const othersOn = (store: StoreRow) => history.runs.get(store.hash) ?? 0
  const price = priceOf(
    scope,
    {
      counts: found.counts,
      scoped: found.scoped,
      shapes: found.shapes ?? usualShapes(passes, { ...(found.counts ?? defaultCounts) }),
      opening: openingCalls({
        mode: scope.mode,
        phases: scope.phases.map(({ key }) => key),
        customerConsent: scope.customerConsent ?? false,
        selective: part.items !== null,
        sourceStorefront: part.storefront,
      }),
      destProducts: found.destProducts,
      latencies: { ...probedLatencies(source.latenciesMs, destination.latenciesMs), ...history.latencies },
      quotas: {
        source: source.share(othersOn(stores.source)),
        destination: destination.share(othersOn(stores.destination)),
      },
      correction: history.correction,
      sampled: sampledIn(found.shapes ?? []),
      countedAs: { [forecastComponent('variants').key]: 'variants' },
    },
    deps.clock.now(),
  )
  const fallbackReason = found.unread.length === 0 ? null : found.unread.join(' ')
  const surveyed = found.shapes !== null && fallbackReason === null
  const isKept = surveyed && found.whole && isWhole(part) && scope.mode !== 'counts'
  return { ...price, fallbackReason, surveyed, survey: isKept ? price.basis.shapes : null }
}

interface Found {
  counts: StoreCounts | null
  scoped: ScopedCounts | undefined
  destProducts: number | undefined
  shapes: PassShape[] | null
  /** Neither taken over from the last survey nor cut short. */
  whole: boolean
  /** Why a store could not be counted, one sentence for each. */
  unread: string[]
}

type Surveying = Omit<Parameters<typeof surveyPasses>[0], 'source' | 'destination' | 'counts'> & { part: PartOfStore }

async function survey(
  deps: PricingDeps,
  stores: Stores,
  clients: { source: StoreReader; destination: StoreReader },
  input: Surveying,
): Promise<Found> {
  const unread: string[] = []
  const note =
    (side: string, { hash }: StoreRow) =>
    (error: unknown) => {
      unread.push(`The ${side} store ${hash} ${whyUnread(error, input.signal)}.`)
    }
  const [counts, destProducts] = await Promise.all([
    orNull(deps, stores.source, () => countSource(clients.source, input), note('source', stores.source)),
    // A count does not read the destination.
    input.scope.mode === 'counts'
      ? null
      : orNull(
          deps,
          stores.destination,
          () => countProducts(clients.destination, input.signal),
          note('destination', stores.destination),
        ),
  ])
  const last = input.last && counts && stillHolds(input.last, { ...input, counts, destProducts }) ? input.last : null
  const known = { counts, destProducts: destProducts ?? undefined, unread }
  if (!counts) return { ...known, scoped: undefined, shapes: null, whole: false }
  const destination = destProducts === null ? null : clients.destination
  const shapes = await orNull(deps, stores.source, () =>
    surveyPasses({ ...input, last, counts: { ...counts }, source: clients.source, destination }),
  )
  const read = shapes && withoutUnread(shapes, input.passes, input.part)
  const whole = !last && !input.signal.aborted
  const scoped = await orNull(deps, stores.source, () => countPart(clients.source, input.signal, counts, input.part))
  if (!scoped) return { ...known, scoped: undefined, shapes: read, whole }
  return {
    ...known,
    scoped,
    whole,
    shapes: read && shapesInPart(read, input.passes, { whole: counts, part: scoped.counts, items: input.part.items }),
  }
}

/** Passes in the order of a run, including those out of scope that it looks up because one in scope refers to them. */
function passesOf({ phases, customerConsent = false, orderStatuses = [], pruneLive = [] }: Scope): SurveyedPass[] {
  const keys = phases.map(({ key }) => key)
  const options = { customerConsent, orderStatuses, phases: keys }
  const withDetails = (pass: Pass) => ({ ...pass, details: detailsOf(pass, options) })
  const inScope = entities.filter(({ key }) => keys.includes(key))
  return entities.flatMap((entity): SurveyedPass[] => {
    if (keys.includes(entity.key))
      return entity.passes.map((pass) => ({ entity, pass: withDetails(pass), adoptOnly: false, options, pruneLive }))
    if (!inScope.some((one) => phasesNamedBy(one).includes(entity.key))) return []
    return entity.passes
      .filter(({ below }) => below === undefined)
      .map((pass) => ({ entity, pass: withDetails(pass), adoptOnly: true, options, pruneLive }))
  })
}

/** Components whose numbers come from a sample or are guessed. Not variants, which the store itself counts. */
function sampledIn(shapes: PassShape[]): string[] {
  const children = shapes.flatMap(({ creation, root }) =>
    creation.map(({ component }) => component).filter((key) => key !== root),
  )
  const guessed = shapes.filter((shape) => shape.guessed).map(({ root }) => root)
  return [...new Set([...children.filter((key) => !componentOf(key).countAll), ...guessed])]
}

/** Prices a run and stores the forecast, unless the run already has one. */
export async function priceRun(
  deps: PricingDeps,
  organisationId: string,
  runId: string,
  memory: Pick<PriceMemory, 'find'> = {},
): Promise<void> {
  const run = await findRun(deps.database, organisationId, runId)
  if (!run || run.forecast) return
  const source = await findStore(deps.database, organisationId, run.source.hash)
  const destination = await findStore(deps.database, organisationId, run.destination.hash)
  if (!source || !destination) return
  const customerConsent = run.settings.customerConsent === true
  const { mode, conflictStrategy: strategy, phases } = run
  const names = z.array(z.string()).default([])
  const orderStatuses = names.parse(run.settings.orderStatuses)
  const pruneLive = names.parse(run.settings.pruneLive)
  const scope = { mode, strategy, phases, customerConsent, orderStatuses, pruneLive }
  const items = run.selective ? await countScope(deps.database, runId) : null
  const part = { items, storefront: run.sourceStorefront }
  const price = await priceScope(deps, scope, { source, destination }, part, memory, { quick: true })
  await deps.database.transaction().execute(async (tx) => {
    const saved = await saveForecast(tx, run, price)
    if (saved && price.survey) await saveSurvey(tx, pairOf({ source, destination }), choicesKey(scope), price.survey)
  })
}

/** Called on each tick of a host: prices runs that a server left without a price when it died. */
export async function priceUnpriced(deps: PricingDeps): Promise<void> {
  const unpriced = await listUnpriced(deps.database, patienceMs / 1000 + 2)
  // Concurrently, so that stores that do not answer delay the tick by no more than 10 s.
  await Promise.all(unpriced.map(({ organisationId, id }) => priceRun(deps, organisationId, id)))
}

/** From first pages where they are sampled, which saves calls. */
async function countSource(
  client: StoreReader,
  { passes, scope, last, signal }: Pick<Surveying, 'passes' | 'scope' | 'last' | 'signal'>,
): Promise<StoreCounts> {
  const count = async (path: string) => {
    const sampled =
      scope.mode === 'counts' || last ? undefined : passes.find(({ pass }) => pass.source.path === path)?.pass.source
    const query = sampled ? { ...sampled.query, limit: sampled.limit, page: 1 } : { limit: 1 }
    return totalOf(await client.get(path, query, { signal }))
  }
  const [products, variants = 0, categories, brands] = await Promise.all([
    count(productsPath),
    forecastComponent('variants').countAll?.(client, signal),
    count('/v3/catalog/trees/categories'),
    count('/v3/catalog/brands'),
  ])
  return { products, variants, categories, brands }
}

async function countProducts(client: StoreReader, signal: AbortSignal): Promise<number> {
  return totalOf(await client.get(productsPath, { limit: 1 }, { signal }))
}

/** Only reads are measured; writes are assumed to be slower by the usual ratio. Our choice. */
function probedLatencies(sourceMs: number[], destinationMs: number[]): StoreLatencies {
  const sourceRead = middle(sourceMs) ?? defaultLatencies.sourceRead
  const destinationRead = middle(destinationMs) ?? defaultLatencies.destinationRead
  const ratio = destinationRead / defaultLatencies.destinationRead
  return {
    sourceRead,
    destinationRead,
    write: Math.round(defaultLatencies.write * ratio),
    heavy: Math.round(defaultLatencies.heavy * ratio),
  }
}

function middle(probesMs: number[]): number | undefined {
  const median = probesMs.toSorted((a, b) => a - b)[Math.floor(probesMs.length / 2)]
  return median === undefined ? undefined : Math.max(1, Math.round(median))
}

/** Null if the store's token cannot be decrypted: then the store is not read. */
function openOrNull(deps: PricingDeps, store: StoreRow): StoreReader | null {
  try {
    return deps.openStore(store, { readOnly: true })
  } catch (error) {
    deps.log.warn({ err: error, storeId: store.id }, 'A store could not be opened; the forecast uses defaults for it.')
    return null
  }
}

/** Null if the store cannot be read: the forecast is then less exact, and the run itself will report the reason. */
async function orNull<Answered>(
  deps: PricingDeps,
  store: StoreRow,
  read: () => Promise<Answered>,
  note?: (error: unknown) => void,
): Promise<Answered | null> {
  try {
    return await read()
  } catch (error) {
    note?.(error)
    deps.log.warn({ err: error, storeId: store.id }, 'A store could not be counted; the forecast uses defaults for it.')
    return null
  }
}

/** In our own words, because a response may repeat what was sent. */
function whyUnread(error: unknown, { aborted }: AbortSignal): string {
  if (error instanceof CredentialsError) return 'does not accept its API token: connect it again with a new one'
  if (error instanceof PlatformError) return `answered ${error.method} ${error.path} with HTTP ${error.httpStatus}`
  if (aborted) return `did not answer within ${patienceMs / 1000} seconds`
  return 'could not be read'
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
