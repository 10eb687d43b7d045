import { isLive } from '../../../src/contract/status.ts'
import type { Migration } from '../../data/queries.ts'
import { doneOf, isRetry } from './parts.ts'

export type StepState = 'done' | 'current' | 'paused' | 'waiting' | 'stopped' | 'left'

export const stateWords: Record<StepState, string> = {
  done: 'done',
  current: 'under way',
  paused: 'paused',
  waiting: 'waiting',
  stopped: 'stopped',
  left: 'not reached',
}

/** How far each step is. A migration that was canceled or failed may have stopped in one, and not reached others. */
export function stepStates({ status, forecast, progress, phases }: SteppingMigration): StepState[] {
  const current = phases.findIndex(({ key }) => key === progress.phase)
  const isOver = status === 'completed' || status === 'partial_completed' || isRetry({ forecast })
  return phases.map((phase, at) => {
    if (isOver || at < current) return 'done'
    if (at > current) return isLive(status) ? 'waiting' : 'left'
    if (isLive(status)) return status === 'paused' ? 'paused' : 'current'
    return doneOf(phase) < phase.total ? 'stopped' : 'done'
  })
}

export type SteppingMigration = Pick<Migration, 'status'> &
  Parameters<typeof isRetry>[0] & {
    progress: Pick<Migration['progress'], 'phase'>
    phases: (Pick<Migration['phases'][number], 'key' | 'total'> & Parameters<typeof doneOf>[0])[]
  }
