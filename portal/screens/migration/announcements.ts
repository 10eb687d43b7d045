import type { Migration, MigrationRequest } from '../../data/queries.ts'

const quietMs = 30_000

/** What a screen reader said last, and about which state. */
export interface Announcement {
  text: string
  /** When this changes, it is said at once, because the person waits for it. */
  turn: string
  /** When this changes, it is said once there has been silence for long enough. */
  moment: string
  atMs: number
}

type Facts = Pick<Migration, 'status' | 'progress' | 'summaryLine' | 'failuresOpen'>
type Control = Pick<MigrationRequest, 'asked'>

/** The state of a screen that was just opened, which is not announced. */
export function unannounced(migration: Facts, request: Control, atMs: number): Announcement {
  return { ...momentOf(migration, request), text: '', atMs }
}

/**
 * Announces each status, and each requested pause or cancellation, at once. Steps, every ten percent and the first
 * failure are announced at most twice a minute.
 */
export function nextAnnouncement(last: Announcement, migration: Facts, request: Control, atMs: number): Announcement {
  const now = momentOf(migration, request)
  if (now.turn === last.turn && (now.moment === last.moment || atMs - last.atMs < quietMs)) return last
  return { ...now, text: controlUnderWay(migration, request) ?? migration.summaryLine, atMs }
}

function momentOf(migration: Facts, request: Control) {
  const { status, progress, failuresOpen } = migration
  return {
    turn: `${status}: ${controlUnderWay(migration, request) ?? ''}`,
    moment: `${progress.phase} ${Math.floor(progress.percent / 10)} ${failuresOpen > 0}`,
  }
}

/** What a running migration was asked to do and has not done yet. */
export function controlUnderWay({ status }: Pick<Migration, 'status'>, { asked }: Control): string | undefined {
  if (asked === 'none' || (status !== 'queued' && status !== 'in_progress')) return undefined
  return asked === 'pause' ? 'Pausing after the present item.' : 'Canceling after the present item.'
}
