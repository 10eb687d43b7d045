import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Caller } from '../../accounts/caller.ts'
import { includesPermission } from '../../contract/accounts/permissions.ts'
import { createMigrationInput, runSettings } from '../../contract/create-migration.ts'
import { migrationDetail } from '../../contract/migration.ts'
import { usualPruneLimits } from '../../contract/primitives/limits.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordRunAction } from '../../db/accounts/run-audit.ts'
import { createRun } from '../../db/runs/runs.ts'
import { type ScopeItem, saveScope } from '../../db/runs/scope-items.ts'
import { detailOf, findHead } from '../../db/runs/snapshots.ts'
import { confirmCaller } from '../shared/confirm-caller.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { Answer, type Deps, defineOperation } from '../shared/operation.ts'
import { createOnce, wasAnswered } from '../shared/runs/idempotent-run.ts'
import { priceInBackground } from '../shared/runs/price-in-background.ts'
import {
  entitiesInScope,
  isSelective,
  type RequestedScope,
  readScope,
  refuseUnknownPicks,
  refuseUnknownStorefronts,
} from '../shared/runs/read-scope.ts'
import {
  findPair,
  holdStores,
  phasesInScope,
  refuseFullQueue,
  refuseUnknownComponents,
} from '../shared/runs/run-scope.ts'

/** Checks the names in the request, and determines its scope (C4). */
async function askStores(
  deps: Deps,
  organisationId: string,
  settings: RequestedScope & { source: string; destination: string },
): Promise<ScopeItem[]> {
  const stores = await findPair(deps.database, organisationId, settings)
  await refuseUnknownStorefronts(deps, stores, settings)
  return readScope(deps, stores, settings)
}

/** Otherwise a caller who may not confirm large deletions could just raise the limits (S18). */
function refuseWiderLimits(settings: z.infer<typeof createMigrationInput>, { role }: Caller): void {
  const { conflictStrategy, pruneLimitPercent, pruneLimitItems } = settings
  const wider = pruneLimitPercent > usualPruneLimits.percent || pruneLimitItems > usualPruneLimits.items
  if (conflictStrategy !== 'replace' || !wider || includesPermission(role, 'migration.delete')) return
  const { percent, items } = usualPruneLimits
  throw new ServiceError(
    'forbidden',
    `Only an owner may let \`replace\` delete more than ${percent} percent or ${items} items without confirmation. Ask an owner, or leave out pruneLimitPercent and pruneLimitItems.`,
  )
}

/** Only an owner may have shoppers' data deleted (G3). */
function refusePruneLive({ pruneLive }: z.infer<typeof createMigrationInput>, { role }: Caller): void {
  if (pruneLive.length === 0 || includesPermission(role, 'migration.delete')) return
  throw new ServiceError(
    'forbidden',
    'Only an owner may let `replace` delete what shoppers made. Ask an owner, or leave out pruneLive.',
  )
}

const leftOut: Record<string, unknown> = runSettings.parse({ source: 'source', destination: 'destination' })

/** What a caller sent: a later version may have more settings, and a request that is repeated to it is the same one (S23). */
function withoutDefaults(settings: object): object {
  return Object.fromEntries(Object.entries(settings).filter(([key, value]) => !isDeepStrictEqual(value, leftOut[key])))
}

export const createMigration = defineOperation({
  name: 'create-migration',
  summary: 'Start a migration from one connected store to another.',
  input: createMigrationInput,
  output: migrationDetail,
  async run({ idempotencyKey, ...settings }, caller, deps) {
    const { organisationId, userId } = caller
    refuseWiderLimits(settings, caller)
    refusePruneLive(settings, caller)
    refuseUnknownPicks(settings)
    const phases = phasesInScope(entitiesInScope(settings), settings.themes)
    refuseUnknownComponents(settings)
    const at = deps.clock.now()
    const request = { caller, operation: 'create-migration', key: idempotencyKey, body: withoutDefaults(settings), at }
    // The stores are read before any lock is taken. For a repeated request they need not be read at all.
    const scope = (await wasAnswered(deps.database, request)) ? [] : await askStores(deps, organisationId, settings)
    const detail = await deps.database.transaction().execute(async (tx) => {
      await confirmCaller(tx, caller, 'create-migration')
      const id = await createOnce(tx, request, async () => {
        const { source, destination } = await findPair(tx, organisationId, settings)
        await holdStores(tx, { organisationId, sourceStoreId: source.id, destinationStoreId: destination.id })
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
          // `entities` alone does not count as a selection.
          selective: isSelective(settings),
          sourceStorefront: settings.sourceStorefront,
          destStorefront: settings.destStorefront,
          phases,
          verifiesRunId: null,
          createdBy: userId,
        })
        await saveScope(tx, created, scope)
        const { pruneLive } = settings
        const details = pruneLive.length > 0 ? { pruneLive } : {}
        await recordRunAction(tx, { organisationId, userId, action: 'migration.create', details, runId: created, at })
        return created
      })
      return detailOf(tx, orNotFound(await findHead(tx, organisationId, id), id))
    })
    priceInBackground(deps, organisationId, detail.requestId)
    return new Answer(detail, { location: `/v2/migrations/${detail.requestId}` })
  },
})
