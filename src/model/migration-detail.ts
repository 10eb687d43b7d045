import type { MigrationDetail } from '../contract/migration.ts'
import { lastProgress, progressOf } from './progress.ts'
import { countersOf, madeBy, phaseResults, sumOf } from './results.ts'
import type { ComponentCount, Pace, RunFacts } from './run-facts.ts'
import { summaryLine } from './summary-line.ts'

export interface RunReading {
  run: RunFacts
  counts: readonly ComponentCount[]
  pace: Pace
  /** Open failures; in verify runs, open differences too. */
  failuresOpen: number
}

/** A run as the API shows it, for live runs and for snapshots. */
export function migrationDetail({ run, counts, pace, failuresOpen }: RunReading): MigrationDetail {
  const phases = phaseResults(run, counts)
  const { failed, pruned } = sumOf(counts)
  const progress = progressOf(run, counts, pace)
  return {
    requestId: run.id,
    platform: 'BC',
    source: run.source,
    destination: run.destination,
    status: run.status,
    autoHeal: run.autoHeal,
    mode: run.mode,
    conflictStrategy: run.conflictStrategy,
    timestamps: timestampsOf(run, counts),
    progress,
    counters: countersOf(counts),
    phases,
    summaryLine: summaryLine({ run, phases, counts, failed, failuresOpen, pruned, percent: progress.percent }),
    failuresOpen,
    ...(run.pageTemplates && {
      pageTemplates: { ...run.pageTemplates, globalContextsPublished: madeBy(run, siteWideInStep(run, counts)) },
    }),
    forecast: run.forecast,
    selective: run.selective,
    sourceStorefront: run.sourceStorefront,
    destStorefront: run.destStorefront,
  }
}

/**
 * How many channels have widgets on all pages that match the source, whether they were written or equal already; 0 if there
 * were none, or they failed.
 */
export function siteWideInStep({ phases }: Pick<RunFacts, 'phases'>, counts: readonly ComponentCount[]): number {
  const siteWide = phases.flatMap(({ components }) => components).filter((one) => one.global)
  const own = counts.filter(({ component }) => siteWide.some(({ key }) => key === component))
  return own.reduce((sum, { created, updated, matched }) => sum + created + updated + matched, 0)
}

/** `updated` is the later of the last changes of status and progress. */
export function timestampsOf(
  run: Pick<RunFacts, 'createdAt' | 'startedAt' | 'updatedAt' | 'lastProgressAt'>,
  counts: readonly Pick<ComponentCount, 'progressedAt'>[],
): MigrationDetail['timestamps'] {
  const updatedMs = Math.max(run.updatedAt.getTime(), lastProgress(run, counts).getTime())
  return {
    created: run.createdAt.toISOString(),
    ...(run.startedAt ? { started: run.startedAt.toISOString() } : {}),
    updated: new Date(updatedMs).toISOString(),
  }
}
