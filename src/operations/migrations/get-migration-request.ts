import { runSettings } from '../../contract/create-migration.ts'
import { type MigrationRequest, migrationRequest, oneMigrationInput } from '../../contract/migration-request.ts'
import type { Database } from '../../db/core/database.ts'
import { findUserName } from '../../db/reports/run-history.ts'
import { findComparison } from '../../db/reports/sign-offs.ts'
import { findPriceBasis } from '../../db/runs/forecasts.ts'
import { findRun, listCounts, type RunRow } from '../../db/runs/runs.ts'
import { type ScopeSummary, summariseScope } from '../../db/runs/scope-items.ts'
import { siteWideInStep } from '../../model/migration-detail.ts'
import { planPrice } from '../../model/plan-price.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { defineOperation } from '../shared/operation.ts'
import { allowedNow } from '../shared/runs/control-run.ts'
import { waitingOf } from '../shared/runs/waiting-of.ts'

export const getMigrationRequest = defineOperation({
  name: 'get-migration-request',
  summary: 'The request of a migration, who made it, and the controls allowed now.',
  input: oneMigrationInput,
  output: migrationRequest,
  async run({ id }, { organisationId }, { database }) {
    const run = orNotFound(await findRun(database, organisationId, id), id)
    const name = run.createdBy === null ? undefined : await findUserName(database, run.createdBy)
    const scope = run.selective ? await summariseScope(database, run.id, idsShown) : null
    const comparison = await comparisonOf(database, run)
    return { ...requestOf(run, name, scope), comparison, plan: await planOf(database, run) }
  },
})

/** Ids shown per component. More would turn a large selection into megabytes. */
const idsShown = 200

function requestOf(
  run: RunRow,
  creator: string | undefined,
  scope: ScopeSummary[] | null,
): Omit<MigrationRequest, 'plan' | 'comparison'> {
  return {
    requestId: run.id,
    label: run.label,
    createdBy: run.createdBy !== null && creator !== undefined ? { id: run.createdBy, name: creator } : null,
    settings: runSettings.parse(run.settings),
    scope: scope === null ? null : scope.map((entry) => ({ ...entry, created: isCreated(run, entry.component) })),
    asked: run.asked,
    allowedControls: allowedNow(run),
    verifies: run.verifiesRunId,
    prune: pruneOf(run),
    waiting: waitingOf(run),
    fallbackReason: run.fallbackReason,
    failure: run.failureCode === null ? null : { code: run.failureCode, message: run.failureMessage ?? '' },
  }
}

async function planOf(database: Database, run: RunRow): Promise<MigrationRequest['plan']> {
  const ended = run.status === 'completed' || run.status === 'partial_completed'
  if (run.mode !== 'dry-run' || !ended) return null
  const basis = await findPriceBasis(database, run.organisationId, run.id)
  const counts = (await listCounts(database, [run.id])).get(run.id) ?? []
  const pruned = counts.filter((count) => count.pruned > 0).map((count) => [count.component, count.pruned])
  return {
    ...(basis ? planPrice(run.conflictStrategy, basis, counts) : unpriced),
    pruned: Object.fromEntries(pruned),
    widgets: counts.reduce((sum, { widgets }) => sum + widgets, 0),
    globalContextsPublished: siteWideInStep(run, counts),
  }
}

async function comparisonOf(database: Database, run: RunRow): Promise<MigrationRequest['comparison']> {
  const found = run.mode === 'full' ? await findComparison(database, run) : undefined
  return found ? { ...found, createdAt: found.createdAt.toISOString() } : null
}

const unpriced = { sourceReads: null, destinationReads: null, writes: null, minutes: null }

function isCreated({ phases }: RunRow, component: string): boolean {
  return phases.some(({ components }) => components.some(({ key }) => key === component))
}

function pruneOf(run: RunRow): MigrationRequest['prune'] {
  const { status, pruneDigest, pruneItems, pruneAnswer } = run
  const waits = status === 'paused' && pruneDigest !== null && pruneAnswer === null
  return waits ? { confirmPrune: pruneDigest, items: pruneItems ?? 0 } : null
}
