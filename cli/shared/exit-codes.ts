import type { MigrationDetail } from '../../src/contract/migration.ts'

/** The program's exit codes, for scripts. `docs/commands.md` and `storeferry --help` list them. */
export const exitCodes = {
  done: 0,
  /** The command was refused or could not do its work, or the migration failed. */
  failed: 1,
  paused: 2,
  cancelled: 3,
  /** The migration ended, with open failures or, after a comparison, open differences. */
  open: 4,
  interrupted: 130,
  /** The reader of the output has closed it: 128 plus the number of SIGPIPE, as shells report it. */
  outputClosed: 141,
} as const

export const exitCodeMeanings: Record<keyof typeof exitCodes, string> = {
  done: 'done; a followed migration completed',
  failed: 'the command was refused or could not do its work, or the migration failed',
  paused: 'the followed migration is paused',
  cancelled: 'the followed migration was canceled',
  open: 'the followed migration ended with open failures, or a comparison with open differences',
  interrupted: 'Ctrl-C was pressed; a migration that was followed goes on',
  outputClosed: 'the reader of the output, such as `head`, has closed it; a migration that was followed goes on',
}

/** For commands that follow a migration. */
export function exitCodeOf({ status, failuresOpen }: Pick<MigrationDetail, 'status' | 'failuresOpen'>): number {
  if (status === 'completed') return failuresOpen > 0 ? exitCodes.open : exitCodes.done
  if (status === 'paused' || status === 'cancelled') return exitCodes[status]
  return status === 'partial_completed' ? exitCodes.open : exitCodes.failed
}

/**
 * The exit code of a copy and its comparison: the one that most needs a person, so that a problem in either is never
 * lost.
 */
export function moreSerious(one: number, other: number): number {
  const order: number[] = [exitCodes.done, exitCodes.open, exitCodes.paused, exitCodes.cancelled, exitCodes.failed]
  return order.indexOf(one) > order.indexOf(other) ? one : other
}
