import type { Migration, MigrationRequest } from '../../data/queries.ts'

const quietMs = 30_000

/** What a screen reader heard last, and of which moment. */
export interface Announcement {
  text: string
  /** A change of it is said at once: a person waits for it. */
  turn: string
  /** A change of it is said when there was quiet for long enough. */
  moment: string
  atMs: number
}

type Facts = Pick<Migration, 'status' | 'progress' | 'summaryLine' | 'failuresOpen'>
type Control = Pick<MigrationRequest, 'asked'>

/** What a screen that was just opened has said by itself. */
export function unannounced(migration: Facts, request: Control, atMs: number): Announcement {
  return { ...momentOf(migration, request), text: '', atMs }
}

/**
 * Each status and each pause or cancellation that was asked for at once; each step, every ten percent and the first failure at most
 * twice a minute.
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

/** What a migration that moves was asked to do and does not do yet. */
export function controlUnderWay({ status }: Pick<Migration, 'status'>, { asked }: Control): string | undefined {
  if (asked === 'none' || (status !== 'queued' && status !== 'in_progress')) return undefined
  return asked === 'pause' ? 'Pausing after the present item.' : 'Canceling after the present item.'
}
