import { createMigrationInput } from '../contract/create-migration.ts'
import { migrationDetail } from '../contract/migration.ts'
import { recordRunAction } from '../db/run-audit.ts'
import { createRun, findRun } from '../db/runs.ts'
import { readDetail } from '../db/snapshots.ts'
import { confirmCaller } from './confirm-caller.ts'
import { orNotFound } from './find-migration.ts'
import { createOnce } from './idempotent-run.ts'
import { Answer, defineOperation } from './operation.ts'
import { priceInBackground } from './price-in-background.ts'
import { findPair, phasesInScope, refuseFullQueue, refuseUnknownLiving } from './run-scope.ts'
import { wakeEngine } from './wake-engine.ts'

export const createMigration = defineOperation({
  name: 'create-migration',
  summary: 'Ask for a copy of one connected store to another.',
  input: createMigrationInput,
  output: migrationDetail,
  async run({ idempotencyKey, ...settings }, caller, deps) {
    const { organisationId, userId } = caller
    const phases = phasesInScope(settings.entities)
    refuseUnknownLiving(settings.overwriteLiving)
    const at = deps.clock.now()
    const detail = await deps.database.transaction().execute(async (tx) => {
      await confirmCaller(tx, caller, 'create-migration')
      const asking = { caller, operation: 'create-migration', key: idempotencyKey, body: settings, at }
      const id = await createOnce(tx, asking, async () => {
        const { source, destination } = await findPair(tx, organisationId, settings)
        await refuseFullQueue(tx, organisationId)
        const created = await createRun(tx, {
          organisationId,
          sourceStoreId: source.id,
          destinationStoreId: destination.id,
          mode: settings.mode,
          conflictStrategy: settings.conflictStrategy,
          autoHeal: settings.autoHeal,
          label: settings.label ?? null,
          settings,
          // A selection is refused so far; `entities` alone is bulk.
          selective: false,
          sourceStorefront: settings.sourceStorefront,
          destStorefront: settings.destStorefront,
          phases,
          verifiesRunId: null,
          createdBy: userId,
        })
        await recordRunAction(tx, { organisationId, userId, action: 'migration.create', runId: created, at })
        return created
      })
      return readDetail(tx, orNotFound(await findRun(tx, organisationId, id), id))
    })
    wakeEngine(deps)
    priceInBackground(deps, organisationId, detail.requestId)
    return new Answer(detail, { location: `/v2/migrations/${detail.requestId}` })
  },
})
