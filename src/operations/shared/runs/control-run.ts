import { confirmAdministrator } from '../../../accounts/administrators.ts'
import { actorOf } from '../../../accounts/api-credentials.ts'
import type { Administrator, Caller } from '../../../accounts/caller.ts'
import type { MigrationDetail } from '../../../contract/migration.ts'
import { ServiceError } from '../../../contract/service-error.ts'
import { allowedControls, type Control, isLive } from '../../../contract/status.ts'
import { type RecordedControl, recordRunAction } from '../../../db/accounts/run-audit.ts'
import { holdConnected } from '../../../db/accounts/stores.ts'
import type { InTransaction } from '../../../db/core/database.ts'
import { finishCancelled } from '../../../db/runs/run-controls.ts'
import { findRun, lockRun, type RunRow, setRequestedControl } from '../../../db/runs/runs.ts'
import { readDetail } from '../../../db/runs/snapshots.ts'
import { confirmCaller } from '../confirm-caller.ts'
import { orNotFound } from '../find-migration.ts'
import type { Deps } from '../operation.ts'
import { wakeEngine } from '../wake-engine.ts'
import { refuseDisconnected, refuseFullQueue } from './run-scope.ts'

/** Controls that put a run in the queue again, as a new one is: with its stores connected, and with room for it. */
const queuing: readonly Control[] = ['resume', 'heal']

/** The controls allowed now: those for the status, without any that a pending control rules out. */
export function allowedNow({ status, asked, mode }: Pick<RunRow, 'status' | 'asked' | 'mode'>): Control[] {
  if (asked === 'cancel') return []
  return allowedControls(status).filter(
    // A run that writes nothing has nothing to heal (F2).
    (control) => !(control === 'pause' && asked === 'pause') && !(control === 'heal' && mode !== 'full'),
  )
}

/**
 * Carries out a control with the run's row locked, so that controls and the engine cannot race. Repeating a pending
 * control gets the same response again.
 *
 * @throws ServiceError `invalid_transition`, with the allowed controls; `rate_limited` if the queue is full
 */
export async function controlRun(
  control: Control,
  id: string,
  caller: Caller,
  deps: Deps,
  act: (tx: InTransaction, run: RunRow) => Promise<unknown>,
): Promise<MigrationDetail> {
  const { organisationId, userId } = caller
  const by = { organisationId, userId, confirm: (tx: InTransaction) => confirmCaller(tx, caller, control) }
  return carryOut(control, id, by, deps, act)
}

/** For administrators of the platform, who may end any migration. */
export async function cancelAsAdministrator(
  { id, organisationId }: Pick<RunRow, 'id' | 'organisationId'>,
  administrator: Administrator,
  deps: Deps,
): Promise<MigrationDetail> {
  const { actorUserId: userId, actor } = actorOf(administrator)
  const confirm = (tx: InTransaction) => confirmAdministrator(tx, administrator)
  return carryOut('cancel', id, { organisationId, userId, actor, confirm }, deps, cancelLocked)
}

/** Ends a run whose row is locked. A run in progress ends after its current item. */
export async function cancelLocked(tx: InTransaction, run: RunRow): Promise<void> {
  if (run.status === 'in_progress') await setRequestedControl(tx, run.organisationId, run.id, 'cancel')
  else await finishCancelled(tx, run)
}

interface By extends Pick<RecordedControl, 'organisationId' | 'userId' | 'actor'> {
  confirm(tx: InTransaction): Promise<unknown>
}

async function carryOut(
  control: Control,
  id: string,
  { confirm, ...by }: By,
  deps: Deps,
  act: (tx: InTransaction, run: RunRow) => Promise<unknown>,
): Promise<MigrationDetail> {
  const { organisationId } = by
  const detail = await deps.database.transaction().execute(async (tx) => {
    await confirm(tx)
    // Stores before runs, as where an app is uninstalled: otherwise the two could wait for each other.
    const disconnected = queuing.includes(control) ? await holdStoresOf(tx, organisationId, id) : []
    const run = orNotFound(await lockRun(tx, organisationId, id), id)
    if (run.asked !== control) {
      if (!allowedNow(run).includes(control)) throw refusal(control, run)
      refuseDisconnected(disconnected)
      if (queuing.includes(control)) await refuseFullQueue(tx, organisationId)
      await act(tx, run)
      const at = deps.clock.now()
      await recordRunAction(tx, { ...by, action: `migration.${control}`, runId: run.id, at })
    }
    return readDetail(tx, organisationId, id)
  })
  wakeEngine(deps)
  return detail
}

/** @returns the hashes of those that are not connected */
async function holdStoresOf(tx: InTransaction, organisationId: string, id: string): Promise<string[]> {
  const { sourceStoreId, destinationStoreId } = orNotFound(await findRun(tx, organisationId, id), id)
  return holdConnected(tx, organisationId, [sourceStoreId, destinationStoreId])
}

const deeds: Record<Control, string> = {
  pause: 'paused',
  resume: 'resumed',
  cancel: 'canceled',
  heal: 'healed or retried',
}

const underWay: Partial<Record<string, string>> = { pause: 'being paused', cancel: 'being canceled' }

function refusal(control: Control, run: RunRow): ServiceError {
  const isModeWithout = control === 'heal' && run.mode !== 'full'
  const state = underWay[run.asked ?? ''] ?? (isModeWithout ? `a ${run.mode} run` : run.status)
  const message = `The migration is ${state} and cannot be ${deeds[control]}${whatElse(control, run)}.`
  return new ServiceError('invalid_transition', message)
}

function whatElse(control: Control, run: RunRow): string {
  const allowed = allowedNow(run)
  if (allowed.length > 0) return `; allowed: ${allowed.join(', ')}`
  if (isLive(run.status)) return ''
  return queuing.includes(control)
    ? ' any more. Start another migration, which copies what is still missing'
    : ' any more'
}
