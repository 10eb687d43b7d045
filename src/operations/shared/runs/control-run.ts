import type { Caller } from '../../../accounts/caller.ts'
import type { MigrationDetail } from '../../../contract/migration.ts'
import { ServiceError } from '../../../contract/service-error.ts'
import { allowedControls, type Control } from '../../../contract/status.ts'
import { recordRunAction } from '../../../db/accounts/run-audit.ts'
import type { InTransaction } from '../../../db/core/database.ts'
import { findRun, lockRun, type RunRow } from '../../../db/runs/runs.ts'
import { readDetail } from '../../../db/runs/snapshots.ts'
import { confirmCaller } from '../confirm-caller.ts'
import { orNotFound } from '../find-migration.ts'
import type { Deps } from '../operation.ts'
import { wakeEngine } from '../wake-engine.ts'

/** The controls allowed now: those of the status, minus any that a pending control rules out. */
export function allowedNow({ status, asked, mode }: Pick<RunRow, 'status' | 'asked' | 'mode'>): Control[] {
  if (asked === 'cancel') return []
  return allowedControls(status).filter(
    // A run that writes nothing has nothing to heal (F2).
    (control) => !(control === 'pause' && asked === 'pause') && !(control === 'heal' && mode !== 'full'),
  )
}

/**
 * Carries out a control with the run's row locked, so controls and the engine cannot race. Repeating a pending control gives the
 * same answer as before.
 *
 * @throws ServiceError `invalid_transition`, naming the allowed controls.
 */
export async function controlRun(
  control: Control,
  id: string,
  caller: Caller,
  deps: Deps,
  act: (tx: InTransaction, run: RunRow) => Promise<unknown>,
): Promise<MigrationDetail> {
  const { organisationId, userId } = caller
  const detail = await deps.database.transaction().execute(async (tx) => {
    await confirmCaller(tx, caller, control)
    const run = orNotFound(await lockRun(tx, organisationId, id), id)
    if (run.asked !== control) {
      if (!allowedNow(run).includes(control)) throw refusal(control, run)
      await act(tx, run)
      const at = deps.clock.now()
      await recordRunAction(tx, { organisationId, userId, action: `migration.${control}`, runId: run.id, at })
    }
    return readDetail(tx, orNotFound(await findRun(tx, organisationId, id), id))
  })
  wakeEngine(deps)
  return detail
}

function refusal(control: Control, run: RunRow): ServiceError {
  const allowed = allowedNow(run)
  const state =
    control === 'heal' && run.mode !== 'full'
      ? `a ${run.mode} run`
      : run.asked === 'cancel'
        ? `${run.status} and being cancelled`
        : run.status
  return new ServiceError(
    'invalid_transition',
    `The migration is ${state}: ${control} is not possible; ${allowed.length > 0 ? `allowed: ${allowed.join(', ')}` : 'no further control is possible'}.`,
  )
}
