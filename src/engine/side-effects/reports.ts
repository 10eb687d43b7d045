import type { InTransaction } from '../../db/core/database.ts'
import { settleIssues } from '../../db/reports/healing.ts'
import { writeSnapshot } from '../../db/runs/snapshots.ts'
import type { SideEffect } from '../../db/side-effects/side-effects.ts'

/** Settles the issues that report these side effects, once they are undone or another run has to undo them. */
export async function settleReports(
  tx: InTransaction,
  effects: Pick<SideEffect, 'organisationId' | 'runId' | 'reported'>[],
  issue: Parameters<typeof settleIssues>[2][number],
): Promise<void> {
  const runs = new Map(effects.filter(({ reported }) => reported).map((one) => [one.runId, one.organisationId]))
  for (const [id, organisationId] of runs) {
    await settleIssues(tx, { id, organisationId }, [issue])
    await writeSnapshot(tx, organisationId, id)
  }
}
