import { expect, test } from 'vitest'
import { componentOf } from '../../src/entities/registry.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { linesOfDifferences, linesOfFindings } from '../comparison/report-lines.ts'
import { shoppersData } from '../entities/shoppers-data.ts'
import type { Story } from '../entities/specs/story.ts'
import { isLong } from '../harness/long-form.ts'
import { aWorld, type World, type WorldOptions } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { comparedWithItsPlan } from './planned.ts'

/** A component, and what its story needs beyond data. */
export interface StorySubject extends Pick<Story, 'table' | 'edit' | 'edited' | 'creation'> {
  /** What the titles call its items. */
  name: string
  /** Phases that the tests run; those that its items refer to come first. */
  phases: readonly string[]
  /** The component that the tests edit. */
  component: string
  /** Components that the comparison judges. */
  judged: readonly string[]
  /** The edited field's name in verify, where it differs. */
  editedField?: string
  /** Creates something that only the destination has; absent: none of it is ever deleted. */
  onlyThere?: (world: World) => Promise<unknown>
  /** An item is deleted by its id below this path; absent: its row is removed from its table, and nothing else changes. */
  deletedAt?: string
  world?: WorldOptions
  /** Runs before the first copy. */
  arrange?: (world: World) => Promise<unknown>
}

const generous = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 }

/**
 * The rules that hold for every entity, tested for one of them in as few runs as possible. test/entities covers the whole
 * registry in one run; only the long form tests all of that for a single entity.
 */
export function testEntityStory(subject: StorySubject): void {
  const { name, onlyThere } = subject
  const title = onlyThere
    ? `B2, C2, D4: ${name} are created once despite a lost answer, and corrected after edits, deletions and additions`
    : `B2, C2: ${name} are created once despite a lost answer, and corrected after edits and deletions`
  test(title, async () => {
    const story = await begin(subject)
    const { world, run, counts, findings, issueCodes, writes, rows } = story
    const { method, path } = subject.creation
    const fault = await world.fault('destination', { kind: 'reset_after_applying', method, path, times: 1 })
    await run()
    expect((await world.faults('destination')).find(({ id }) => id === fault)?.hits).toBe(1)
    await world.clearFaults('destination')
    expect(await findings()).toEqual([])
    const copied = await rows()

    await story.editOne()
    await onlyThere?.(world)
    const update = await run({ conflictStrategy: 'update' })
    expect(await counts(update.requestId)).toMatchObject({ updated: 1 })
    expect((await writes()).length).toBe(1)
    expect((await findings()).filter((line) => !line.includes(' extra '))).toEqual([])
    expect((await rows()).length).toBe(copied.length + (onlyThere ? 1 : 0))

    await story.deleteOne()
    const pruneLive = shoppersData.filter((key) => key === subject.component)
    // A person who was deleted there is created again only on request (G12).
    const recreateErased = componentOf(subject.component).staysErased ? [subject.component] : []
    const again = await run({ ...(onlyThere && { ...generous, pruneLive }), recreateErased })
    expect(await counts(again.requestId)).toMatchObject({ created: 1, ...(onlyThere && { pruned: 1 }) })
    expect(await issueCodes(again.requestId)).toEqual(['destination_deleted'])
    expect(await findings()).toEqual([])

    const last = await run({ conflictStrategy: 'update' })
    expect(await writes()).toEqual([])
    const { matched, discovered } = await counts(last.requestId)
    expect(matched).toBe(discovered)
  })

  if (isLong)
    test(`F1, F2, C2: ${name} are created as a dry run foretold, and verify reports an edit that skip leaves alone`, async () => {
      const { world, run, counts, findings, writes, editOne } = await begin(subject)
      await run({ mode: 'dry-run' })
      expect(await writes()).toEqual([])
      const reported = await comparedWithItsPlan(world, { entities: subject.phases })
      expect(reported).toMatchObject({ onlyPlanned: [], onlyDone: [] })

      const second = await run()
      expect(await writes()).toEqual([])
      const { matched = 0, skipped = 0, discovered } = await counts(second.requestId)
      expect(matched + skipped).toBe(discovered)
      expect(matched).toBeGreaterThan(0)

      await editOne()
      const edited = await findings()
      expect(edited.length).toBeGreaterThan(0)
      const { requestId } = await run({ mode: 'verify' })
      const page = await world.api<{ items: Parameters<typeof linesOfDifferences>[0] }>(
        'GET',
        `/v2/migrations/${requestId}/differences?limit=200`,
      )
      const { component, edit, editedField = Object.keys(edit)[0] } = subject
      const differences = linesOfDifferences(page.body.items).filter((line) => line.startsWith(`${component} `))
      const expected = new RegExp(`^${component} different \\S+ \\S+ ${editedField}$`)
      expect(differences).toEqual([expect.stringMatching(expected)])
      await run()
      expect(await findings()).toEqual(edited)
    })
}

/** A world of its own with everything arranged, and the queries of the tests. */
async function begin({ component, table, phases, judged, ...subject }: StorySubject) {
  const world = await aWorld(subject.world)
  await subject.arrange?.(world)
  const rows = async () => (await world.state('destination'))[table] ?? []
  const findings = async () => {
    const found = compareStores(await world.state('source'), await world.state('destination'))
    return linesOfFindings(found.filter(({ entity }) => judged.includes(entity)))
  }
  /** The item that is edited and deleted. */
  const chosen = async () => {
    const row = (await rows()).find(subject.edited ?? (() => true))
    if (!row) throw new Error(`The destination has no row of ${table} to edit.`)
    return row
  }
  return {
    world,
    rows,
    findings,
    run: async (settings: object = {}) => {
      await world.resetRequests('destination')
      const done = await world.complete({ entities: phases, ...settings })
      expect(done.status).toBe('completed')
      // A verify run is expected to find differences, so its failures are not checked.
      if (done.mode !== 'verify') expect(done.failuresOpen).toBe(0)
      return done
    },
    counts: async (id: string) => (await counted(world, id))[component] ?? {},
    issueCodes: async (id: string) =>
      (await world.issues(id)).filter((one) => one.component === component).map(({ code }) => code),
    writes: async () => (await world.requests('destination')).filter(({ method }) => method !== 'GET'),
    editOne: async () => {
      await world.change('destination', { op: 'set', table, id: (await chosen()).id, fields: subject.edit })
      expect(await findings()).not.toEqual([])
    },
    deleteOne: async () => {
      const { id } = await chosen()
      if (subject.deletedAt) await callStore(world, 'destination', 'DELETE', `${subject.deletedAt}/${id}`)
      else await world.change('destination', { op: 'remove', table, id })
    },
  }
}
