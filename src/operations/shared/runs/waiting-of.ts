import type { MigrationRequest } from '../../../contract/migration-request.ts'
import type { RunRow } from '../../../db/runs/runs.ts'

/** The unavailable system for which a run in progress waits. */
export function waitingOf({
  status,
  waitingFor,
  waitingStore,
  waitingSince,
  nextTryAt,
}: RunRow): MigrationRequest['waiting'] {
  if (status !== 'in_progress' || !waitingFor || !waitingSince || !nextTryAt) return null
  const [since, next] = [waitingSince, nextTryAt].map((at) => at.toISOString())
  return { system: waitingFor, store: waitingStore, since: since ?? '', nextTryAt: next ?? '' }
}
