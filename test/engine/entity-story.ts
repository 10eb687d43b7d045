import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { linesOfDifferences, linesOfFindings } from '../comparison/told-lines.ts'
import { startWorld, type World, type WorldOptions } from '../harness/world.ts'
import { longForm } from '../kills/moments.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'
import { comparedWithItsPlan } from './planned.ts'

/** One entity of the registry, and what its story needs to know about it. */
export interface StorySubject {
  /** Phases that the story runs, those it names first. */
  phases: readonly string[]
  /** Component that the story edits, and the table that its items stand in. */
  component: string
  table: string
  /** Components that the comparison judges. */
  judged: readonly string[]
  /** A field that somebody edits at the destination, and to what. */
  edit: Record<string, unknown>
  /** Its name in verify, where it is another one. */
  editedField?: string
  /** Which item; the first unless told. */
  edited?: (row: Record<string, unknown>) => boolean
  /** The call that creates one. */
  creation: { method: 'POST' | 'PUT'; path: string }
  /** Makes something that only the destination has; absent: nothing of it is ever deleted. */
  onlyThere?: (world: World) => Promise<unknown>
  /** Below it an item is deleted by its id; absent: its row is taken out of its table, which frees nothing else. */
  deletedAt?: string
  world?: WorldOptions
  /** Before anything is copied. */
  arrange?: (world: World) => Promise<unknown>
}

const generous = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 }

/**
 * What holds for every entity, told on one pair of stores: each test goes on where the one before it ended. What test/entities holds
 * every line of the registry to, in one run over all of them, is told of the entity alone in the long form only.
 */
export function tellEntityStory(subject: StorySubject): void {
  const { component, table, phases } = subject
  let world: World
  beforeAll(async () => {
    world = await startWorld({ requestTimeoutSeconds: 1, ...subject.world })
    await subject.arrange?.(world)
  })
  afterAll(() => world?.stop())

  const run = async (settings: object = {}) => {
    await world.resetRequests('destination')
    const done = await world.complete({ entities: phases, ...settings })
    expect(done.status).toBe('completed')
    // Of a verify run: what differs.
    if (done.mode !== 'verify') expect(done.failuresOpen).toBe(0)
    await expectCountersToEqualTheLedger(world, done.requestId)
    return done
  }
  const counts = async (id: string) => (await counted(world, id))[component] ?? {}
  const findings = async () =>
    linesOfFindings(
      compareStores(await world.state('source'), await world.state('destination')).filter(({ entity }) =>
        subject.judged.includes(entity),
      ),
    )
  const writes = async () => (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  const rows = async () => (await world.state('destination'))[table] ?? []
  const editOne = async () => {
    const row = (await rows()).find(subject.edited ?? (() => true))
    await world.change('destination', { op: 'set', table, id: row?.id ?? 0, fields: subject.edit })
  }

  if (longForm)
    test('F2: a dry run writes nothing and foretells what the run does', async () => {
      await world.resetRequests('destination')
      const dry = await world.complete({ entities: phases, mode: 'dry-run' })
      expect(dry).toMatchObject({ status: 'completed', failuresOpen: 0 })
      expect(await writes()).toEqual([])
    })

  test('B2: everything is created, and a lost answer makes nothing twice', async () => {
    const { method, path } = subject.creation
    const fault = await world.fault('destination', { kind: 'reset_after_applying', method, path, times: 1 })
    const told = await comparedWithItsPlan(world, { entities: phases })
    expect(told).toMatchObject({ onlyPlanned: [], onlyDone: [] })
    expect((await world.faults('destination')).find(({ id }) => id === fault)?.hits).toBe(1)
    await world.clearFaults('destination')
    expect(await findings()).toEqual([])
  })

  if (longForm)
    test('C2: a second run over the unchanged pair writes nothing', async () => {
      const second = await run()
      expect(await writes()).toEqual([])
      const { matched = 0, skipped = 0, discovered } = await counts(second.requestId)
      expect(matched + skipped).toBe(discovered)
      expect(matched).toBeGreaterThan(0)
    })

  describe('an edit at the destination', () => {
    let edited: string[]
    beforeAll(async () => {
      await editOne()
      edited = await findings()
      expect(edited.length).toBeGreaterThan(0)
    })

    if (longForm)
      test('F1: verify tells of it, and skip leaves it alone', async () => {
        const verified = await run({ mode: 'verify' })
        const { items } = (
          await world.api<{ items: Parameters<typeof linesOfDifferences>[0] }>(
            'GET',
            `/v2/migrations/${verified.requestId}/differences?limit=200`,
          )
        ).body
        const field = subject.editedField ?? Object.keys(subject.edit)[0]
        const told = linesOfDifferences(items).filter((line) => line.startsWith(`${component} `))
        expect(told).toEqual([expect.stringMatching(new RegExp(`^${component} different \\S+ \\S+ ${field}$`))])
        await run()
        expect(await findings()).toEqual(edited)
      })

    test('is put right by update, which writes what differs and nothing else', async () => {
      const update = await run({ conflictStrategy: 'update' })
      expect(await counts(update.requestId)).toMatchObject({ updated: 1 })
      expect((await writes()).length).toBe(1)
      expect(await findings()).toEqual([])
    })
  })

  test('C2: an update over the unchanged pair writes nothing and matches everything', async () => {
    const again = await run({ conflictStrategy: 'update' })
    expect(await writes()).toEqual([])
    const { matched, discovered } = await counts(again.requestId)
    expect(matched).toBe(discovered)
  })

  const { onlyThere } = subject
  test.runIf(onlyThere !== undefined)(
    'D4: replace deletes what only the destination has, update leaves it',
    async () => {
      const before = await rows()
      await onlyThere?.(world)
      await run({ conflictStrategy: 'update' })
      expect((await rows()).length).toBe(before.length + 1)
      const replace = await run(generous)
      expect(await counts(replace.requestId)).toMatchObject({ pruned: 1 })
      expect(await rows()).toEqual(before)
    },
  )

  test('C2: what was deleted at the destination is created again, with a warning', async () => {
    const row = (await rows()).find(subject.edited ?? (() => true))
    if (subject.deletedAt) await callStore(world, 'destination', 'DELETE', `${subject.deletedAt}/${row?.id}`)
    else await world.change('destination', { op: 'remove', table, id: row?.id ?? 0 })
    const again = await run()
    const codes = (await world.issues(again.requestId)).filter((one) => one.component === component)
    expect(codes.map(({ code }) => code)).toEqual(['destination_deleted'])
    expect(await findings()).toEqual([])
  })
}
