import { expect, test } from 'vitest'
import { type SteppingMigration, stepStates } from './step-states.ts'

const none = { created: 0, updated: 0, skipped: 0, matched: 0, failed: 0, total: 0 }
const running: SteppingMigration = {
  status: 'in_progress',
  forecast: null,
  progress: { phase: 'brands' },
  phases: [
    { ...none, key: 'categories', created: 20, total: 20 },
    { ...none, key: 'brands', created: 3, total: 8 },
    { ...none, key: 'products' },
    { ...none, key: 'orders', total: 120 },
  ],
}
const withoutRest = { ...running, phases: running.phases.map((phase) => ({ ...phase, total: phase.created })) }

test.each([
  ['is running', {}, ['done', 'current', 'waiting', 'waiting']],
  ['is paused', { status: 'paused' }, ['done', 'paused', 'waiting', 'waiting']],
  ['waits to begin', { status: 'queued', progress: { phase: '' } }, ['waiting', 'waiting', 'waiting', 'waiting']],
  ['was canceled in the middle', { status: 'cancelled' }, ['done', 'stopped', 'left', 'left']],
  ['failed in the middle', { status: 'failed' }, ['done', 'stopped', 'left', 'left']],
  ['was canceled before it began', { status: 'cancelled', progress: { phase: '' } }, ['left', 'left', 'left', 'left']],
  ['was canceled when a step was over', { ...withoutRest, status: 'cancelled' }, ['done', 'done', 'left', 'left']],
  ['is done', { status: 'completed' }, ['done', 'done', 'done', 'done']],
  ['was canceled while it tried again', { status: 'cancelled', forecast: { basis: 'fix' } }, Array(4).fill('done')],
] as const)('of a migration that %s, the steps are where it got to', (_, given, states) => {
  expect(stepStates({ ...running, ...given } as SteppingMigration)).toEqual(states)
})
