import { expect, test } from 'vitest'
import { firstSteps } from './next-steps.ts'

const asker = { role: 'owner', owners: ['Olive Reed'], isOnline: true } as const
const run = (mode: 'dry-run' | 'full' | 'verify', status: 'in_progress' | 'completed' | 'failed') => ({
  requestId: `${mode} ${status}`,
  mode,
  status,
})
const trial = (...lists: [ReturnType<typeof run>[], ReturnType<typeof run>[], ReturnType<typeof run>[]]) =>
  firstSteps({ stores: 2, lists }, asker).find(({ title }) => title === 'Make a trial run')

test.each([
  ['none was made', trial([], [], []), [false, 'Skipped']],
  ['one failed', trial([run('dry-run', 'failed')], [], []), [false, 'Skipped']],
  ['one is done', trial([run('dry-run', 'completed')], [], []), [true, undefined]],
  ['a copy was begun without one', trial([], [run('full', 'in_progress')], []), [true, 'Skipped']],
  ['a copy was made without one', trial([], [run('full', 'completed')], []), [true, 'Skipped']],
  [
    'one is under way beside a copy',
    trial([run('dry-run', 'in_progress')], [run('full', 'completed')], []),
    [true, 'Under way'],
  ],
  [
    'one is under way after another that is done',
    trial([run('dry-run', 'in_progress'), run('dry-run', 'completed')], [run('full', 'completed')], []),
    [true, undefined],
  ],
] as const)('of the trial run, when %s', (_, step, expected) => {
  expect([step?.isDone, step?.passed]).toEqual(expected)
})

test('a step that is under way leads to its migration, and after a comparison there are no more steps', () => {
  const steps = firstSteps({ stores: 2, lists: [[run('dry-run', 'in_progress')], [], []] }, asker)
  expect(steps.find(({ isDone }) => !isDone)?.underWay?.requestId).toBe('dry-run in_progress')
  const lists = [[], [run('full', 'completed')], [run('verify', 'completed')]]
  expect(firstSteps({ stores: 2, lists }, asker)).toEqual([])
})
