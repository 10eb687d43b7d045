import type { StoreClient } from '../../bigcommerce/client.ts'
import { CredentialsError, MissingScopeError, PlatformError } from '../../bigcommerce/errors.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import type { StorePair } from '../../db/ledger/store-pair.ts'
import { withShopLock } from '../../db/side-effects/shop-lock.ts'
import { type SideEffect, saveSideEffects, sideEffectsOf } from '../../db/side-effects/side-effects.ts'
import {
  endStock,
  endWatch,
  hasStockToGiveBack,
  intendStock,
  type OpenStock,
  productsToGiveBack,
  type SoldLine,
  saveStockBefore,
  soldOf,
  stockBefore,
} from '../../db/side-effects/sold-stock.ts'
import { startedStock } from '../../db/side-effects/started-stock.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import {
  existingLevels,
  levelsAtOnce,
  levelsPath,
  setLevels,
  sourceLevels,
} from '../../entities/orders/stock-levels.ts'
import { inParts } from '../../model/in-parts.ts'
import { type Evidence, hasFallenAsSold, type ItemStock, judge } from '../../model/sold-stock.ts'
import type { Entry } from '../core/recorder.ts'
import { settleReports } from './reports.ts'
import { notSeen, notTaken, saveWarnings, stockReport, unclearStock, unreturnedStock } from './stock-issues.ts'

type Store = Pick<StoreClient, 'get' | 'write'>

/** What it takes to give back stock, in a run or on a host. */
export interface StockDeps {
  database: Database
  store: Store
  storeHash: string
  /** Records in one transaction. @throws when another process has become responsible for the store */
  record(entry: Entry): Promise<void>
  /** The last check before the socket. @throws in the same case */
  beforeSend(): Promise<void>
}

/**
 * How many ids one call names: the products of about one page of the list. Fewer would take more calls; more would make
 * the address too long.
 */
const productsAtOnce = 250

/**
 * Saves what is in stock, keeping levels known from before orders whose stock is not given back yet (D1).
 * @returns false when the token may not read it
 */
export async function rememberStock(
  deps: StockDeps,
  pair: StorePair,
  runId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, store, storeHash } = deps
  await afterHosts(deps)
  // Done first, because a level that was set but not recorded would look like new sales later.
  await giveBackStock(deps, { begun: true })
  const left = await stockWatch(deps)
  await database.transaction().execute(async (tx) => {
    await saveSideEffects(tx, pair, runId, [
      { kind: 'stock', component: stockReport.component, subject: '', desired: {} },
    ])
    // From here on, this run has to give it back.
    if (left) await settleReports(tx, [left], unreturnedStock(storeHash))
  })
  try {
    for await (const { items } of existingLevels(store, levelsPath, {}, { signal }))
      await saveStockBefore(database, storeHash, items.map(levelOf))
    return true
  } catch (error) {
    if (!(error instanceof MissingScopeError)) throw error
    await deps.record((tx, tally) => saveWarnings(tx, tally, { id: runId, ...pair }, [notSeen(storeHash)]))
    return false
  }
}

function levelOf({ product_id, variant_id, location_id, quantity }: PlatformItem) {
  return {
    productId: Number(product_id),
    variantId: Number(variant_id ?? 0),
    locationId: Number(location_id),
    quantity: Number(quantity ?? 0),
  }
}

/** The row that says the shop's stock is not given back yet; it names the run that gets the issues. */
export async function stockWatch({
  database,
  storeHash,
}: Pick<StockDeps, 'database' | 'storeHash'>): Promise<SideEffect | undefined> {
  return (await sideEffectsOf(database, storeHash, 'stock'))[0]
}

/** Waits for a host that may still be giving stock back. */
export async function afterHosts({ database, storeHash }: Pick<StockDeps, 'database' | 'storeHash'>): Promise<void> {
  await withShopLock(database, storeHash, async () => undefined)
}

/** Of more products than this, the list is not read early, because what it shows is kept in memory. */
const mostReadEarly = 1_000
/** How many of the shortest waits between two readings make the settle time. Our choice: 2 of 30 seconds. */
const shortestWaits = 15

/**
 * Waits until the stock list, which lags behind the platform's writes, has shown twice in a row that everything fell by
 * exactly what copied orders sold; for `settleMs` at most.
 * @returns what it showed then, by item, or undefined when the time is over
 */
export async function settledLevels(
  deps: StockDeps,
  { settleMs, clock, signal }: { settleMs: number; clock: Clock; signal: AbortSignal },
): Promise<Levels | undefined> {
  const productIds = await productsToGiveBack(deps.database, deps.storeHash, {
    after: 0,
    limit: mostReadEarly + 1,
    begun: false,
  })
  let [left, wait, shown] = [settleMs, settleMs / shortestWaits, false]
  while (productIds.length <= mostReadEarly && wait < left) {
    await clock.sleep(wait, signal)
    left -= wait
    const now = await levelsInParts(deps.store, productIds)
    const before = shown
    shown = hasFallenAsSold((await soldItems(deps, productIds, now)).items)
    if (shown && before) return now
    if (!shown) wait *= 2
  }
  await clock.sleep(left, signal)
  return undefined
}

/**
 * Waits until the stock list shows what was given back, for `settleMs` at most: what it does not show yet would count as
 * sold when levels of new items are set (G11).
 *
 * @param noteWait called before each part of the wait with the time that is left at most
 */
export async function untilShown(
  { store, database }: StockDeps,
  pair: StorePair,
  given: Level[],
  {
    settleMs,
    clock,
    signal,
    noteWait,
  }: { settleMs: number; clock: Clock; signal: AbortSignal; noteWait(leftMs: number): Promise<void> },
): Promise<void> {
  const created = new Set(
    (await startedStock(database, pair, [...new Set(given.map(({ productId }) => productId))])).map(
      ({ productId }) => productId,
    ),
  )
  const ofNew = given.filter(({ productId }) => created.has(productId))
  if (ofNew.length === 0) return
  const isShown = (now: Levels) => (level: Level) =>
    now.get(keyOf(level))?.find(({ locationId }) => locationId === level.locationId)?.quantity !== level.seen
  let [left, wait] = [settleMs, settleMs / shortestWaits]
  const sleep = async (ms: number) => {
    await noteWait(left)
    await clock.sleep(ms, signal)
  }
  while (given.length <= mostReadEarly && left > 0) {
    if (ofNew.every(isShown(await levelsInParts(store, [...created])))) return
    await sleep(Math.min(wait, left))
    left -= wait
    wait *= 2
  }
  if (left > 0) await sleep(left)
}

async function soldItems({ database, storeHash }: StockDeps, productIds: number[], now: Levels) {
  const lines = await soldOf(database, storeHash, productIds)
  const rows = await stockBefore(database, storeHash, productIds)
  return { lines, items: itemsOf({ now, lines, rows }) }
}

/**
 * Gives back what our orders took, as far as the stock really fell; sales and restocking in the meantime are kept (D1).
 * Sales of unconfirmed orders stay open. `begun`: handles only levels that were already being set. `shown`: the levels
 * just read, if they were. `keepsWatch`: leaves the watch to be ended with `endStockWatch`.
 * @returns levels that were given back; not all if they are too many to be kept in memory
 */
export async function giveBackStock(
  deps: StockDeps,
  {
    begun = false,
    shown,
    keepsWatch = begun,
  }: { begun?: boolean; shown?: Levels | undefined; keepsWatch?: boolean } = {},
): Promise<Level[]> {
  const { database, storeHash } = deps
  const watch = await stockWatch(deps)
  const given: Level[] = []
  if (!watch) return given
  const run = { id: watch.runId, organisationId: watch.organisationId }
  const evidence: Evidence = { fell: 0, all: 0, refusedFell: 0, refusedAll: 0 }
  for (let after = 0; ; ) {
    const productIds = await productsToGiveBack(database, storeHash, { after, limit: productsAtOnce, begun })
    const last = productIds.at(-1)
    if (last === undefined) break
    after = last
    const some = await giveBackSome(deps, run, productIds, { begun, evidence, shown })
    if (given.length <= mostReadEarly) given.push(...some)
  }
  if (!keepsWatch) await endStockWatch(deps)
  return given
}

/** Ends the watch if everything is given back. */
export async function endStockWatch(deps: StockDeps): Promise<void> {
  const watch = await stockWatch(deps)
  if (!watch) return
  await deps.record(async (tx) => {
    if (await endWatch(tx, deps.storeHash)) await settleReports(tx, [watch], unreturnedStock(deps.storeHash))
  })
}

/** Ends the watch if nothing that was sold had been in stock. @returns whether that was so, which needs no call */
export async function endIfNothingSold({ database, storeHash, record }: StockDeps): Promise<boolean> {
  if (await hasStockToGiveBack(database, storeHash)) return false
  await record(async (tx) => {
    await endWatch(tx, storeHash, { evenIf: 'sold' })
  })
  return true
}

interface Level extends OpenStock {
  seen: number
  target: number
  /** As the platform accepts it. */
  named: PlatformItem
}

async function giveBackSome(
  deps: StockDeps,
  run: { id: string; organisationId: string },
  productIds: number[],
  { begun, evidence, shown }: { begun: boolean; evidence: Evidence; shown: Levels | undefined },
): Promise<Level[]> {
  const { storeHash, record } = deps
  const now = shown ?? (await levelsNow(deps.store, productIds))
  const { lines, items: sold } = await soldItems(deps, productIds, now)
  const items = sold.filter(({ levels }) => !begun || levels.some(({ target }) => target !== null))
  const { done, give, unclear } = judge(items, evidence)
  const levels = give.map((level): Level => ({ ...level, named: named(level, now) }))
  const given = new Set(levels.map(keyOf))
  const [later, atOnce] = [
    done.filter((item) => given.has(keyOf(item))),
    done.filter((item) => !given.has(keyOf(item))),
  ]
  const waiting = new Set(items.filter((item) => !atOnce.includes(item)).flatMap((item) => item.lines.map(keyOf)))
  // Decided only once: whatever is missing after this was sold by the shop.
  await record(async (tx, tally) => {
    await intendStock(tx, storeHash, levels)
    const ended = begun ? atOnce.flatMap((item) => item.lines) : lines.filter((line) => !waiting.has(keyOf(line)))
    await endStock(tx, storeHash, { items: atOnce, lines: ended })
    await saveWarnings(tx, tally, run, unclear.map(unclearStock))
  })
  if (levels.length === 0) return []
  const refused: Level[] = []
  for (const some of inParts(levels, levelsAtOnce)) refused.push(...(await setStock(deps, some)))
  await record(async (tx, tally) => {
    await endStock(tx, storeHash, { items: later, lines: later.flatMap((item) => item.lines) })
    await saveWarnings(tx, tally, run, refused.map(notTaken))
  })
  return levels.filter((level) => !refused.includes(level))
}

const keyOf = ({ productId, variantId }: { productId: number; variantId: number }) => `${productId}/${variantId}`

type Now = ReturnType<typeof levelOf> & { byProduct: boolean; sku: string }
type Levels = Map<string, Now[]>

/** The present levels, by item. */
async function levelsNow(store: Store, productIds: number[]): Promise<Levels> {
  const query = { 'product_id:in': productIds.join(',') }
  const found: Now[] = []
  for await (const { items } of sourceLevels(store, levelsPath, query, {}))
    for (const item of items)
      found.push({ ...levelOf(item), byProduct: item.tracked_by === 'product', sku: String(item.sku ?? '') })
  return Map.groupBy(found, keyOf)
}

async function levelsInParts(store: Store, productIds: number[]): Promise<Levels> {
  const found = await Promise.all(inParts(productIds, productsAtOnce).map((some) => levelsNow(store, some)))
  return new Map(found.flatMap((levels) => [...levels]))
}

/** If a product's stock is tracked as a whole, a line takes from the product, whichever variant it names. */
export function itemsOf({
  now,
  lines,
  rows,
}: {
  now: Levels
  lines: Awaited<ReturnType<typeof soldOf>>
  rows: OpenStock[]
}): ItemStock[] {
  const counted = Map.groupBy(now.keys(), (key) => key.slice(0, key.indexOf('/')))
  const itemKeyOf = (line: SoldLine) => {
    const ofProduct = counted.get(String(line.productId)) ?? []
    return ofProduct.length === 1 && ofProduct[0] !== undefined ? ofProduct[0] : keyOf(line)
  }
  const sold = Map.groupBy(lines, itemKeyOf)
  return [...Map.groupBy(rows, keyOf)].flatMap(([key, before]) => {
    const [first] = before
    const existing = now.get(key)
    const own = sold.get(key) ?? []
    if (!first) return []
    const takenFrom = Math.min(...(existing ?? []).map(({ locationId }) => locationId))
    return {
      productId: first.productId,
      variantId: first.variantId,
      sku: existing?.[0]?.sku ?? '',
      levels: before.map((level) => ({
        ...level,
        now: existing?.find(({ locationId }) => locationId === level.locationId)?.quantity ?? null,
      })),
      wasSoldOut: existing !== undefined && !before.some(({ locationId }) => locationId === takenFrom),
      lines: own,
      sold: own.reduce((sum, { quantity }) => sum + quantity, 0),
      refused: own.reduce((sum, { refused }) => sum + refused, 0),
      unsettled: own.some(({ unsettled }) => unsettled),
    }
  })
}

function named(level: OpenStock & { target: number }, now: Levels): PlatformItem {
  const { productId: product_id, variantId: variant_id, locationId: location_id, target: quantity } = level
  const byProduct = variant_id === 0 || now.get(keyOf(level))?.[0]?.byProduct
  return { location_id, ...(byProduct ? { product_id } : { variant_id }), quantity }
}

/** Sets levels; a batch that is refused is sent again in halves. @returns the refused levels */
async function setStock(deps: StockDeps, levels: Level[]): Promise<Level[]> {
  const { store, beforeSend } = deps
  try {
    await store.write({ ...setLevels(levels.map((level) => level.named)), beforeSend })
    return []
  } catch (error) {
    const definite = error instanceof PlatformError && !(error instanceof MissingScopeError)
    if (!definite || error instanceof CredentialsError || error.httpStatus === 429) throw error
    if (levels.length <= 1) return levels
  }
  const middle = Math.ceil(levels.length / 2)
  const first = await setStock(deps, levels.slice(0, middle))
  return [...first, ...(await setStock(deps, levels.slice(middle)))]
}
