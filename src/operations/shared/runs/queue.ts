import type { MigrationRequest, WaitingReason } from '../../../contract/migration-request.ts'
import { occupation, type WaitingRun, waitingRuns } from '../../../db/runs/admission.ts'
import type { RunRow } from '../../../db/runs/runs.ts'
import { explainWaiting } from '../../../engine/process/choose-runs.ts'
import type { Deps } from '../operation.ts'

/** The queued runs of all organisations, with what admission would decide about them now. Admits nothing. */
export function readQueue({ database, settings }: Pick<Deps, 'database' | 'settings'>) {
  return database.transaction().execute(async (transaction): Promise<(WaitingRun & { why: WaitingReason })[]> => {
    const runs = await waitingRuns(transaction)
    const priced = runs.filter((run) => run.priced)
    const reasons = explainWaiting(priced, await occupation(transaction), settings.admission)
    return runs.map((run) => ({ ...run, why: reasons.get(run.id) ?? 'pricing' }))
  })
}

/** What a queued run waits for, without a word about other organisations. */
export async function queueOf(
  { id, status, organisationId }: RunRow,
  deps: Pick<Deps, 'database' | 'settings'>,
): Promise<MigrationRequest['queue']> {
  if (status !== 'queued') return null
  const own = (await readQueue(deps)).filter((run) => run.organisationId === organisationId)
  const before = own.findIndex((run) => run.id === id)
  const run = own[before]
  return run ? { why: run.why, before } : null
}
