import type { StoreClient } from '../../bigcommerce/client.ts'
import { PlatformError } from '../../bigcommerce/errors.ts'
import { findStore, type StoreRow } from '../../db/accounts/stores.ts'
import type { Database, InTransaction } from '../../db/core/database.ts'
import { addCounters, Tally } from '../../db/ledger/counters.ts'
import { saveIssues } from '../../db/ledger/issues.ts'
import { settleIssues } from '../../db/reports/healing.ts'
import { writeSnapshot } from '../../db/runs/snapshots.ts'
import { endDuty } from '../../db/side-effects/deferred-writes.ts'
import {
  lastRunOver,
  type OverdueDuty,
  stillWaits,
  takeDueDuties,
  takeOverdueDuties,
  type WaitingDuty,
} from '../../db/side-effects/due-deferred-writes.ts'
import { entities } from '../../entities/registry.ts'
import type { EngineLog } from '../context/context.ts'
import { dutyWrite, lacking, leftOff, phaseOf } from '../finish/deferred-writes.ts'

export interface DutyDeps {
  database: Database
  log: EngineLog
  openStore(store: StoreRow, options: { readOnly: boolean }): Pick<StoreClient, 'get' | 'write'>
  leaveStores(hashes: string[]): Promise<void>
}

const atOnce = 20

/**
 * For a host's tick: does what a run had come to and could not do, as long as no run is about to do it, and tells of what has
 * waited for too long (D5). What no run has come to is left alone: nobody knows that all else is done.
 */
export async function retryDuties(deps: DutyDeps, signal: AbortSignal): Promise<void> {
  const duties = await takeDueDuties(deps.database, atOnce)
  await Promise.all(duties.map((duty) => retry(deps, duty, signal)))
  if (duties.length > 0) await deps.leaveStores([...new Set(duties.map((duty) => duty.destinationHash))])
  await tellOverdue(deps)
}

async function retry(deps: DutyDeps, duty: WaitingDuty, signal: AbortSignal): Promise<void> {
  try {
    await write(deps, duty, signal)
  } catch (error) {
    // A copy that somebody deleted needs nothing any more.
    if (!(error instanceof PlatformError && error.httpStatus === 404)) return tellRefused(deps, duty, error)
  }
  await deps.database.transaction().execute((tx) => end(tx, duty))
}

/** Known by its id and absolute: a write whose answer was lost is simply sent again. */
async function write({ database, openStore }: DutyDeps, duty: WaitingDuty, signal: AbortSignal): Promise<void> {
  const store = await findStore(database, duty.organisationId, duty.destinationHash)
  const { call } = dutyWrite(duty, duty.destinationId)
  if (!store || !call) throw new Error(`Nothing says how ${duty.component} ${duty.sourceId} is written.`)
  const beforeSend = async () => {
    if (!(await stillWaits(database, duty))) throw new Error('A run does it, or has done it.')
  }
  await openStore(store, { readOnly: false }).write({ ...call, signal, beforeSend })
}

function tellRefused(
  { log }: DutyDeps,
  { organisationId, destinationHash, component, sourceId }: WaitingDuty,
  err: unknown,
) {
  const about = { err, organisationId, store: destinationHash, component, sourceId }
  log.warn(about, 'what a run had left to do could not be done; it is tried again in a minute')
}

async function end(tx: InTransaction, duty: WaitingDuty): Promise<void> {
  const { organisationId, component } = duty
  const id = await lastRunOver(tx, duty, phaseOf(component))
  await endDuty(tx, duty, duty)
  if (id === undefined) return
  await settleIssues(tx, { id, organisationId }, [{ ...duty, code: 'left_disabled' }])
  await writeSnapshot(tx, organisationId, id)
}

async function tellOverdue({ database, log }: DutyDeps): Promise<void> {
  const phases = entities.flatMap(({ key, components }) =>
    components.map((component) => ({ component: component.key, phase: key })),
  )
  const overdue = await database.transaction().execute(async (tx) => {
    const found = await takeOverdueDuties(tx, phases, atOnce)
    for (const [runId, duties] of Map.groupBy(found, (duty) => duty.runId)) await saveOverdue(tx, runId, duties)
    return found
  })
  for (const { organisationId, destinationHash, component, sourceId, destinationId, runId } of overdue) {
    const about = { organisationId, store: destinationHash, component, sourceId, destinationId, runId }
    log.error(about, 'an item waits to be switched on and nobody could do it; see the issues of its migration')
  }
}

async function saveOverdue(tx: InTransaction, runId: string, duties: OverdueDuty[]): Promise<void> {
  const organisationId = duties[0]?.organisationId ?? ''
  const issues = duties.map((duty) => leftOff(duty, duty.destinationId, whyOf(duty)))
  const tally = new Tally()
  for (const { component } of await saveIssues(tx, { id: runId, organisationId }, issues))
    tally.add(component, 'warnings')
  await addCounters(tx, runId, tally)
  await writeSnapshot(tx, organisationId, runId)
}

function whyOf({ due, owed, connected }: OverdueDuty): string {
  if (!connected) return 'its store was disconnected'
  if (owed.length > 0) return lacking(owed)
  if (due) return 'the store has not taken the switch for 15 minutes; it is tried every minute'
  return 'the migration ended before all else was copied'
}
