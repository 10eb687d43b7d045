import type { StoreClient } from '../../bigcommerce/client.ts'
import { findStore, type StoreRow } from '../../db/accounts/stores.ts'
import type { Database, InTransaction } from '../../db/core/database.ts'
import { addCounters, Tally } from '../../db/ledger/counters.ts'
import { saveIssues } from '../../db/ledger/issues.ts'
import { writeSnapshot } from '../../db/runs/snapshots.ts'
import { withShopLockIfFree } from '../../db/side-effects/shop-lock.ts'
import {
  type DueSideEffect,
  isStillDue,
  type OverdueSideEffect,
  type SideEffect,
  takeDue,
  takeOverdue,
} from '../../db/side-effects/side-effects.ts'
import type { EngineLog } from '../core/engine-log.ts'
import { recordEntries } from '../core/recorder.ts'
import { type AtShop, handlers } from './handlers.ts'

interface SweepDeps {
  database: Database
  log: EngineLog
  openStore(store: StoreRow, options: { readOnly: boolean }): Pick<StoreClient, 'get' | 'write'>
  leaveStores(hashes: string[]): Promise<void>
}

const rowsAtOnce = 100
/** Each shop's lock keeps a connection busy. With more, too few of the ten would be left for the work itself. */
const shopsAtOnce = 4

/**
 * Runs on a host's tick: ends side effects that no run holds any more, because it ended, waits or has no process (D5,
 * G8), and reports those that have been left for too long.
 */
export async function endSideEffects(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const due = await takeDue(deps.database, rowsAtOnce)
  const shops = [...Map.groupBy(due, ({ organisationId, storeHash }) => `${organisationId} ${storeHash}`).values()]
  const next = shops.values()
  await Promise.all(
    Array.from({ length: shopsAtOnce }, async () => {
      for (const effects of next) await endAtShop(deps, effects, signal)
    }),
  )
  if (due.length > 0) await deps.leaveStores([...new Set(due.map(({ storeHash }) => storeHash))])
  await reportOverdue(deps)
}

/** Groups the effects that are handled together. */
function together<Effect extends SideEffect>(effects: Effect[]): Effect[][] {
  const key = ({ id, kind, storeHash }: SideEffect) => (handlers[kind].ofShop ? `${kind} ${storeHash}` : id)
  return [...Map.groupBy(effects, key).values()]
}

async function endAtShop(deps: SweepDeps, effects: DueSideEffect[], signal: AbortSignal): Promise<void> {
  const [first] = effects
  if (!first) return
  try {
    const row = await findStore(deps.database, first.organisationId, first.storeHash)
    // The store was disconnected since, which is reported elsewhere.
    if (!row) return
    const store = deps.openStore(row, { readOnly: false })
    const order = Object.keys(handlers)
    const inOrder = effects.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    await withShopLockIfFree(deps.database, first.storeHash, async () => {
      for (const [effect] of together(inOrder)) if (effect) await end(deps, effect, { store, signal })
    })
  } catch (err) {
    warn(deps, first, err)
  }
}

async function end(
  deps: SweepDeps,
  effect: DueSideEffect,
  { store, signal }: Pick<AtShop, 'store' | 'signal'>,
): Promise<void> {
  const { database } = deps
  const { organisationId, runId, storeHash } = effect
  const confirm = async (tx: Database | InTransaction) => {
    if (!(await isStillDue(tx, effect))) throw new Error('Another process is handling this.')
  }
  const shop: AtShop = {
    database,
    store,
    storeHash,
    signal,
    beforeSend: () => confirm(database),
    record: (entry) =>
      database.transaction().execute(async (tx) => {
        await confirm(tx)
        await recordEntries(tx, runId, [entry])
        await writeSnapshot(tx, organisationId, runId)
      }),
  }
  await handlers[effect.kind].end(shop, effect).catch((err: unknown) => warn(deps, effect, err))
}

function warn({ log }: SweepDeps, effect: SideEffect, err: unknown): void {
  log.warn({ err, ...nameOf(effect) }, 'what a migration left at a store is still open; it is tried again in a minute')
}

function nameOf({ organisationId, storeHash, runId, kind: sideEffect, component }: SideEffect) {
  return { organisationId, storeHash, runId, sideEffect, component }
}

async function reportOverdue({ database, log }: SweepDeps): Promise<void> {
  const overdue = await database.transaction().execute(async (tx) => {
    const found = await takeOverdue(tx, rowsAtOnce)
    for (const [, ofRun] of Map.groupBy(found, ({ runId }) => runId)) await report(tx, ofRun)
    return found
  })
  for (const [effect] of together(overdue))
    if (effect)
      log.error(nameOf(effect), 'what a migration left at a store is overdue; see the issues of the migration')
}

async function report(tx: InTransaction, ofRun: OverdueSideEffect[]): Promise<void> {
  const [first] = ofRun
  if (!first) return
  const { organisationId, runId: id } = first
  const issues = together(ofRun).flatMap((all) => (all[0] ? handlers[all[0].kind].issue(all[0], all) : []))
  const tally = new Tally()
  for (const { component } of await saveIssues(tx, { id, organisationId }, issues)) tally.add(component, 'warnings')
  await addCounters(tx, id, tally)
  await writeSnapshot(tx, organisationId, id)
}
