import { afterAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import { expectWhole } from './expect-whole.ts'
import { deaths } from './run-record.ts'
import { brands, categories, metafields, modifiers, options, optionValues, products, type Subject } from './subjects.ts'
import * as windows from './windows.ts'

interface Window {
  name: string
  kill(world: World, subject: Subject): Promise<string>
  /** For `npm test`; the long form takes all of `every`. */
  short: Subject[]
  every: Subject[]
}

const roots = [brands, categories, products]
const creators = [...roots, options, optionValues, modifiers, metafields]

const all: Window[] = [
  { name: 'after the intent and before the call', kill: windows.killBeforeSending, short: [brands], every: creators },
  {
    name: 'after the store applied a write and before its answer',
    kill: windows.killBeforeTheAnswer,
    short: [categories, products],
    every: creators,
  },
  {
    name: 'after the answer and before its record',
    kill: windows.killBeforeTheCommit,
    short: [products],
    every: creators,
  },
  // Brands are one page: when its results come its checkpoint is written.
  {
    name: 'after the record and before the checkpoint',
    kill: windows.killBeforeTheCheckpoint,
    short: [categories],
    every: [categories, products],
  },
  { name: 'while handing over', kill: windows.killDuringHandOver, short: [products], every: roots },
  {
    name: 'while a host that was told to end waits for the last answer',
    kill: windows.killWhileDraining,
    short: [],
    every: roots,
  },
  { name: 'while a doubt is settled', kill: windows.killWhileSettling, short: [brands], every: roots },
]

const long = process.env.STOREFERRY_LONG === '1'
const cases = all.flatMap((window) =>
  (long ? window.every : window.short).map((subject) => ({
    window,
    subject,
    component: subject.component,
    when: window.name,
  })),
)
const hits = new Map(cases.map(({ when }) => [when, 0]))

afterAll(() => {
  console.log(`Kills by window: ${[...hits].map(([when, count]) => `${when} ${count}`).join(', ')}`)
  for (const count of hits.values()) expect(count).toBeGreaterThan(0)
})

describe.concurrent('killed in a window, a run leaves no duplicate and loses nothing', () => {
  test.each(cases)('$when: $component', async ({ window, subject, when }) => {
    const world = await startWorld({ separateHost: true })
    try {
      const run = await window.kill(world, subject)
      hits.set(when, (hits.get(when) ?? 0) + 1)
      expect(await world.finished(run)).toMatchObject({ status: 'completed', failuresOpen: 0 })
      await expectWhole(world, run)
      expect(await deaths(world.database, run)).toBeGreaterThanOrEqual(
        window.kill === windows.killDuringHandOver ? 0 : 1,
      )
    } finally {
      await world.stop()
    }
  })
})
