import type { MigrationRequest } from '../contract/migration-request.ts'
import type { PriceBasis } from './forecast/forecast.ts'
import { siteWideInStep } from './migration-detail.ts'
import { planPrice } from './plan-price.ts'
import type { ComponentCount, RunFacts } from './run-facts.ts'

/** The part of a request that no longer changes once the run has ended. */
export type RequestRecord = Pick<MigrationRequest, 'scope' | 'verifies' | 'plan' | 'fallbackReason' | 'failure'> & {
  /** As stored: earlier versions had fewer settings. */
  settings: Record<string, unknown>
}

type RequestFacts = RunFacts & {
  settings: Record<string, unknown>
  verifiesRunId: string | null
  fallbackReason: string | null
  failureCode: string | null
}

interface RequestReading {
  run: RequestFacts
  counts: readonly ComponentCount[]
  /** What the selection covers; null without one. */
  scope: Omit<NonNullable<MigrationRequest['scope']>[number], 'created'>[] | null
  /** The inputs that a dry run was priced from. */
  basis: PriceBasis | undefined
}

export function requestRecord({ run, counts, scope, basis }: RequestReading): RequestRecord {
  return {
    settings: run.settings,
    scope: scope === null ? null : scope.map((entry) => ({ ...entry, created: isCreated(run, entry.component) })),
    verifies: run.verifiesRunId,
    plan: isPlan(run) ? planOf(run, counts, basis) : null,
    fallbackReason: run.fallbackReason,
    failure: run.failureCode === null ? null : { code: run.failureCode, message: run.failureMessage ?? '' },
  }
}

/** A dry run that finished. */
export function isPlan({ mode, status }: Pick<RunFacts, 'mode' | 'status'>): boolean {
  return mode === 'dry-run' && (status === 'completed' || status === 'partial_completed')
}

function planOf(
  run: RequestFacts,
  counts: readonly ComponentCount[],
  basis: PriceBasis | undefined,
): MigrationRequest['plan'] {
  const pruned = counts.filter((count) => count.pruned > 0).map((count) => [count.component, count.pruned])
  return {
    ...(basis ? planPrice(run.conflictStrategy, basis, counts) : unpriced),
    pruned: Object.fromEntries(pruned),
    widgets: counts.reduce((sum, { widgets }) => sum + widgets, 0),
    globalContextsPublished: siteWideInStep(run, counts),
  }
}

const unpriced = { sourceReads: null, destinationReads: null, writes: null, minutes: null }

function isCreated({ phases }: RunFacts, component: string): boolean {
  return phases.some(({ components }) => components.some(({ key }) => key === component))
}
