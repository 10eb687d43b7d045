import { ServiceError } from '../../contract/service-error.ts'
import { signOffInput, signOff as signOffShape } from '../../contract/sign-offs.ts'
import { isLive } from '../../contract/status.ts'
import { recordRunAction } from '../../db/accounts/run-audit.ts'
import { addSignOff, findComparison, listSignOffs } from '../../db/reports/sign-offs.ts'
import { lockRun } from '../../db/runs/runs.ts'
import { confirmCaller } from '../shared/confirm-caller.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { defineOperation } from '../shared/operation.ts'
import { signOffOf } from './list-sign-offs.ts'

export const signOff = defineOperation({
  name: 'sign-off',
  summary: 'Record that a person has seen the latest comparison of a copy and accepts the copy.',
  input: signOffInput,
  output: signOffShape,
  run: ({ id, comparison, note = null }, caller, deps) => {
    const { organisationId, userId } = caller
    return deps.database.transaction().execute(async (tx) => {
      await confirmCaller(tx, caller, 'sign-off')
      const run = orNotFound(await lockRun(tx, organisationId, id), id)
      if (run.mode !== 'full' || isLive(run.status))
        throw new ServiceError('invalid_transition', 'Only a copy that has ended can be signed off.')
      const latest = await findComparison(tx, run)
      if (!latest?.isCurrent)
        throw new ServiceError(
          'invalid_transition',
          'Compare the two stores first: no comparison is newer than the copy.',
        )
      if (latest.requestId !== comparison)
        throw new ServiceError('validation_failed', 'The request is not valid; see "errors".', {
          errors: { comparison: [`The latest comparison of this migration is ${latest.requestId}; sign that one.`] },
        })
      const at = deps.clock.now()
      await addSignOff(tx, run, { comparisonId: comparison, userId, note, at })
      await recordRunAction(tx, { organisationId, userId, action: 'migration.sign-off', runId: run.id, at })
      const [signed] = await listSignOffs(tx, run)
      if (!signed) throw new TypeError('A sign-off was just recorded.')
      return signOffOf(deps.keyring, signed)
    })
  },
})
