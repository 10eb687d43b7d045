import type { Caller } from '../../accounts/caller.ts'
import { idempotencyKey } from '../../contract/create-migration.ts'
import { migrationDetail } from '../../contract/migration.ts'
import { oneMigrationInput } from '../../contract/migration-request.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordRunAction } from '../../db/accounts/run-audit.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { createRun, findRun, lockRun, type RunRow } from '../../db/runs/runs.ts'
import { copyScope } from '../../db/runs/scope-items.ts'
import { detailOf, findHead } from '../../db/runs/snapshots.ts'
import { confirmCaller } from '../shared/confirm-caller.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { Answer, defineOperation } from '../shared/operation.ts'
import { createOnce } from '../shared/runs/idempotent-run.ts'
import { priceInBackground } from '../shared/runs/price-in-background.ts'
import { holdStores, refuseFullQueue } from '../shared/runs/run-scope.ts'

export const verify = defineOperation({
  name: 'verify',
  summary: 'Compare both stores over the scope of an earlier migration, without writing.',
  input: oneMigrationInput.extend({ idempotencyKey }),
  output: migrationDetail,
  async run({ id, idempotencyKey: key }, caller, deps) {
    const { organisationId, userId } = caller
    const at = deps.clock.now()
    const detail = await deps.database.transaction().execute(async (tx) => {
      await confirmCaller(tx, caller, 'verify')
      const copied = orNotFound(await findRun(tx, organisationId, id), id)
      const created = await createOnce(tx, { caller, operation: 'verify', key, body: { id }, at }, async () => {
        refuseUnfinished(copied)
        await holdStores(tx, copied)
        // Before the queue, as where a migration is resumed: otherwise the two could wait for each other.
        const present = orNotFound(await lockRun(tx, organisationId, id), id)
        refuseUnfinished(present)
        await refuseFullQueue(tx, organisationId)
        const runId = await createVerifyRun(tx, present, caller)
        await copyScope(tx, copied.id, runId)
        await recordRunAction(tx, { organisationId, userId, action: 'migration.verify', runId, at })
        return runId
      })
      return detailOf(tx, orNotFound(await findHead(tx, organisationId, created), created))
    })
    priceInBackground(deps, organisationId, detail.requestId)
    return new Answer(detail, { location: `/v2/migrations/${detail.requestId}` })
  },
})

/** While a run is in progress, most differences would just be items not written yet. */
function refuseUnfinished(run: RunRow): void {
  if (run.status !== 'queued' && run.status !== 'in_progress') return
  throw new ServiceError(
    'invalid_transition',
    `The migration is ${run.status}: it can be verified once it is finished or paused.`,
  )
}

function createVerifyRun(tx: InTransaction, copied: RunRow, { userId }: Caller): Promise<string> {
  return createRun(tx, {
    ...copied,
    mode: 'verify',
    settings: { ...copied.settings, mode: 'verify' },
    verifiesRunId: copied.id,
    createdBy: userId,
  })
}
