import type { Caller } from '../accounts/caller.ts'
import { idempotencyKey } from '../contract/create-migration.ts'
import { migrationDetail } from '../contract/migration.ts'
import { oneMigrationInput } from '../contract/migration-request.ts'
import { ServiceError } from '../contract/service-error.ts'
import type { InTransaction } from '../db/database.ts'
import { recordRunAction } from '../db/run-audit.ts'
import { createRun, findRun, type RunRow } from '../db/runs.ts'
import { copyScope } from '../db/scope-items.ts'
import { readDetail } from '../db/snapshots.ts'
import { confirmCaller } from './confirm-caller.ts'
import { orNotFound } from './find-migration.ts'
import { createOnce } from './idempotent-run.ts'
import { Answer, defineOperation } from './operation.ts'
import { priceInBackground } from './price-in-background.ts'
import { holdStores, refuseFullQueue } from './run-scope.ts'

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
        await refuseFullQueue(tx, organisationId)
        const runId = await createVerifyRun(tx, copied, caller)
        await copyScope(tx, copied.id, runId)
        await recordRunAction(tx, { organisationId, userId, action: 'migration.verify', runId, at })
        return runId
      })
      return readDetail(tx, orNotFound(await findRun(tx, organisationId, created), created))
    })
    priceInBackground(deps, organisationId, detail.requestId)
    return new Answer(detail, { location: `/v2/migrations/${detail.requestId}` })
  },
})

/** Differences with what is still being written would be about the moment, not about the copy. */
function refuseUnfinished(run: RunRow): void {
  if (run.status !== 'queued' && run.status !== 'in_progress') return
  throw new ServiceError(
    'invalid_transition',
    `The migration is ${run.status}: verify is possible once it has finished or is paused.`,
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
