import type { StoreClient } from '../../bigcommerce/client.ts'
import { PlatformError } from '../../bigcommerce/errors.ts'
import { findStore, type StoreRow } from '../../db/accounts/stores.ts'
import type { Database, InTransaction } from '../../db/core/database.ts'
import { addCounters, Tally } from '../../db/ledger/counters.ts'
import { saveIssues } from '../../db/ledger/issues.ts'
import { settleIssues } from '../../db/reports/healing.ts'
import { writeSnapshot } from '../../db/runs/snapshots.ts'
import { endDeferredWrite } from '../../db/side-effects/deferred-writes.ts'
import {
  type DueDeferredWrite,
  lastRunOver,
  type OverdueDeferredWrite,
  stillWaits,
  takeDueDeferredWrites,
  takeOverdueDeferredWrites,
} from '../../db/side-effects/due-deferred-writes.ts'
import { entities } from '../../entities/registry.ts'
import type { EngineLog } from '../core/engine-log.ts'
import { callOfDeferredWrite, leftOff, phaseOf, whatIsMissing } from '../finish/deferred-writes.ts'

export interface SweepDeps {
  database: Database
  log: EngineLog
  openStore(store: StoreRow, options: { readOnly: boolean }): Pick<StoreClient, 'get' | 'write'>
  leaveStores(hashes: string[]): Promise<void>
}

const atOnce = 20

/**
 * For a host's tick: sends the deferred writes that a run tried and could not send, while no run works on the pair, and reports those
 * that have waited too long (D5). Those that no run has tried are left alone: all else may not be done yet.
 */
export async function retryDeferredWrites(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const deferredWrites = await takeDueDeferredWrites(deps.database, atOnce)
  await Promise.all(deferredWrites.map((deferred) => retry(deps, deferred, signal)))
  if (deferredWrites.length > 0)
    await deps.leaveStores([...new Set(deferredWrites.map((deferred) => deferred.destinationHash))])
  await reportOverdue(deps)
}

async function retry(deps: SweepDeps, deferred: DueDeferredWrite, signal: AbortSignal): Promise<void> {
  try {
    await write(deps, deferred, signal)
  } catch (error) {
    // The copy was deleted, so nothing is left to do.
    if (!(error instanceof PlatformError && error.httpStatus === 404)) return reportRefused(deps, deferred, error)
  }
  await deps.database.transaction().execute((tx) => end(tx, deferred))
}

/** Addressed by id and absolute: a write without an answer is simply sent again. */
async function write(
  { database, openStore }: SweepDeps,
  deferred: DueDeferredWrite,
  signal: AbortSignal,
): Promise<void> {
  const store = await findStore(database, deferred.organisationId, deferred.destinationHash)
  const { call } = callOfDeferredWrite(deferred, deferred.destinationId)
  if (!store || !call) throw new Error(`No update call is defined for ${deferred.component} ${deferred.sourceId}.`)
  const beforeSend = async () => {
    if (!(await stillWaits(database, deferred))) throw new Error('Another run is handling this.')
  }
  await openStore(store, { readOnly: false }).write({ ...call, signal, beforeSend })
}

function reportRefused(
  { log }: SweepDeps,
  { organisationId, destinationHash, component, sourceId }: DueDeferredWrite,
  err: unknown,
) {
  const about = { err, organisationId, store: destinationHash, component, sourceId }
  log.warn(about, 'a deferred write could not be sent; it is tried again in a minute')
}

async function end(tx: InTransaction, deferred: DueDeferredWrite): Promise<void> {
  const { organisationId, component } = deferred
  const id = await lastRunOver(tx, deferred, phaseOf(component))
  await endDeferredWrite(tx, deferred, deferred)
  if (id === undefined) return
  await settleIssues(tx, { id, organisationId }, [{ ...deferred, code: 'left_disabled' }])
  await writeSnapshot(tx, organisationId, id)
}

async function reportOverdue({ database, log }: SweepDeps): Promise<void> {
  const phases = entities.flatMap(({ key, components }) =>
    components.map((component) => ({ component: component.key, phase: key })),
  )
  const overdue = await database.transaction().execute(async (tx) => {
    const found = await takeOverdueDeferredWrites(tx, phases, atOnce)
    for (const [runId, deferredWrites] of Map.groupBy(found, (deferred) => deferred.runId))
      await saveOverdue(tx, runId, deferredWrites)
    return found
  })
  for (const { organisationId, destinationHash, component, sourceId, destinationId, runId } of overdue) {
    const about = { organisationId, store: destinationHash, component, sourceId, destinationId, runId }
    log.error(about, 'an item could not be switched on; see the issues of its migration')
  }
}

async function saveOverdue(tx: InTransaction, runId: string, deferredWrites: OverdueDeferredWrite[]): Promise<void> {
  const organisationId = deferredWrites[0]?.organisationId ?? ''
  const issues = deferredWrites.map((deferred) => leftOff(deferred, deferred.destinationId, whyOf(deferred)))
  const tally = new Tally()
  for (const { component } of await saveIssues(tx, { id: runId, organisationId }, issues))
    tally.add(component, 'warnings')
  await addCounters(tx, runId, tally)
  await writeSnapshot(tx, organisationId, runId)
}

function whyOf({ due, owed: pending, connected }: OverdueDeferredWrite): string {
  if (!connected) return 'its store was disconnected'
  if (pending.length > 0) return whatIsMissing(pending)
  if (due) return 'it could not be switched on for 15 minutes; it is retried every minute'
  return 'the migration ended before all else was copied'
}
