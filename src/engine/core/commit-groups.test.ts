import { expect, test } from 'vitest'
import { FakeClock } from '../../../test/harness/fake-clock.ts'
import { type Clock, systemClock } from '../../clock.ts'
import { LeaseLost } from '../../db/ledger/leases.ts'
import { CommitGroups } from './commit-groups.ts'

function committing(fails: (group: number[]) => Error | null = () => null, clock: Clock = systemClock) {
  const groups: number[][] = []
  const commits = new CommitGroups<number, string>({ largest: 3, clock }, async (items) => {
    groups.push(items)
    await new Promise(setImmediate)
    const error = fails(items)
    if (error) throw error
    return items.map((item) => `committed ${item}`)
  })
  const addAll = (items: number[]) => Promise.allSettled(items.map((item) => commits.add(item)))
  return { groups, addAll }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate)
}

const resultOf = (settled: PromiseSettledResult<string>) =>
  settled.status === 'fulfilled' ? settled.value : settled.reason

test('what is added while a group is being committed goes into the next, up to its limit and in order', async () => {
  const { groups, addAll } = committing()
  const settled = await addAll([1, 2, 3, 4, 5])
  expect(groups).toEqual([[1], [2, 3, 4], [5]])
  expect(settled.map(resultOf)).toEqual([1, 2, 3, 4, 5].map((item) => `committed ${item}`))
})

test('after a group of several, those that come soon after one another share the next', async () => {
  const { groups, addAll } = committing()
  const first = addAll([1, 2, 3])
  await until(() => groups.length === 2)
  await Promise.all([first, addAll([4]), new Promise(setImmediate).then(() => addAll([5]))])
  expect(groups).toEqual([[1], [2, 3], [4, 5]])
})

test('an item that comes right after a commit waits for the next one, and an item that comes later does not', async () => {
  const clock = new FakeClock({ skipUpToMs: 10 })
  const { groups, addAll } = committing(() => null, clock)
  await addAll([1])
  await Promise.all([addAll([2]), addAll([3])])
  expect({ groups, slept: clock.slept.length }).toEqual({ groups: [[1], [2, 3]], slept: 1 })
  await clock.advance(20)
  await addAll([4])
  expect({ groups, slept: clock.slept.length }).toEqual({ groups: [[1], [2, 3], [4]], slept: 1 })
})

test('one item that cannot be committed does not fail the others of its group', async () => {
  const bad = new Error('bad item')
  const { groups, addAll } = committing((group) => (group.includes(3) ? bad : null))
  const settled = await addAll([1, 2, 3, 4])
  expect(groups).toEqual([[1], [2, 3, 4], [2], [3], [4]])
  expect(settled.map(resultOf)).toEqual(['committed 1', 'committed 2', bad, 'committed 4'])
})

test.each([
  ['the run was taken over', new LeaseLost('run')],
  ['the database is away, which may have committed the group', Object.assign(new Error('gone'), { code: '57P01' })],
])('no item is committed alone when %s', async (_why, error) => {
  const { groups, addAll } = committing((group) => (group.length > 1 ? error : null))
  const settled = await addAll([1, 2, 3])
  expect(groups).toEqual([[1], [2, 3]])
  expect(settled.map(resultOf)).toEqual(['committed 1', error, error])
})
