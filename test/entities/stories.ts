import { sql } from 'kysely'
import type { Seed } from '../../sandbox/seeds/plant-seed.ts'
import type { RequestEntry } from '../../sandbox/server/request-log.ts'
import type { Issue } from '../../src/contract/issues.ts'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import type { Entity } from '../../src/entities/core/entity.ts'
import { componentOf, entities } from '../../src/entities/registry.ts'
import { compareStores, pairAndCompare } from '../comparison/compare-stores.ts'
import { makeLikeTheSource } from '../comparison/like-the-source.ts'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import { addModifiers } from '../comparison/more-modifiers.ts'
import { type Mutation, Mutations } from '../comparison/mutations.ts'
import { linesOfDifferences, linesOfFindings } from '../comparison/report-lines.ts'
import { tableRules } from '../comparison/table-rules.ts'
import { startWorld, type World } from '../harness/world.ts'
import { likeTheBornOne, showTheme } from '../show-theme.ts'
import { isPruned, makeDestinationOnly } from './destination-only.ts'
import { neverCreated, onlyLinks, onlyVerifySees } from './entity-facts.ts'
import { shoppersData } from './shoppers-data.ts'

export interface Alone {
  detail: MigrationDetail
  issues: Issue[]
}

/** A store of a seed beside empty ones. */
export interface Opened {
  world: World
  /** Nothing in the store is broken, so a copy equals it. */
  clean: boolean
}

export interface Stories extends Opened {
  dry: MigrationDetail
  /** Whether nothing at the destination has changed, and calls that were not GET. */
  unchanged: boolean
  dryWrites: RequestEntry[]
  first: MigrationDetail
  /** What the comparison finds after the first copy. */
  findings: string[]
}

/** It names items of other phases, which a run over it alone does not copy. */
export function refersTo({ after, passes, components }: Entity): boolean {
  // Existing items are left alone, whatever they name.
  if (components.every(({ key }) => key in neverCreated || key in onlyLinks)) return false
  const named = [...after, ...passes.flatMap(({ afterPhases = [] }) => afterPhases)]
  return entities.some(({ key }) => named.includes(key))
}

/** Entities that refer to others and are referred to by none, so none of them copies what another one needs. */
export function referringOnly(): Entity[] {
  const named = entities.flatMap(({ after, passes }) => [
    ...after,
    ...passes.flatMap(({ afterPhases = [] }) => afterPhases),
  ])
  return entities.filter((entity) => refersTo(entity) && !named.includes(entity.key))
}

const storeWithout = ({ key }: Entity) => `without-${key}`

/** With an empty store for the copy, one for that of a storefront, and one for each group of entities that is copied alone. */
export async function opened(seed: Seed, clean: boolean): Promise<Opened> {
  const moreStores = [...entities.filter(refersTo).map(storeWithout), 'storefront', 'referring']
  const world = await startWorld({ seeds: { source: seed }, moreStores, requestTimeoutSeconds: 30 })
  if (clean && seed === 'tiny') {
    await addModifiers(world)
    await addCatalogueParts(world, 'source')
  }
  if (clean) await makeLikeTheSource(world)
  await showTheme(world, await likeTheBornOne(world))
  return { world, clean }
}

/** What a copy leaves to the edits. */
type Copied = Pick<Stories, 'world' | 'clean' | 'first'>

/** A dry run, then the real copy. */
export async function copied({ world, clean }: Opened): Promise<Stories> {
  const run = async (body: object = {}) => world.finished(await world.migrate(body), { seconds: 600 })
  const before = await world.state('destination')
  await world.resetRequests('destination')
  const dry = await run({ mode: 'dry-run' })
  const dryWrites = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  const after = await world.state('destination')
  // Some tables are created at their first read.
  const unchanged = Object.entries(before).every(
    ([table, rows]) => rows.length === 0 || JSON.stringify(after[table]) === JSON.stringify(rows),
  )
  const first = await run()
  return { world, clean, dry, unchanged, dryWrites, first, findings: await findingsOf(world) }
}

export interface Edited {
  /** By component. */
  planted: Map<string, Mutation>
  expected: string[]
  /**
   * What verify reports, what remains after `skip`, which writes nothing, and what remains after `update`; without what a good
   * copy cannot have.
   */
  verified: string[]
  wroteOnVerify: number
  wroteOnSkip: number
  /** The second run, under `skip`, and its calls. */
  second: MigrationDetail
  requests: Record<'source' | 'destination', RequestEntry[]>
  update: MigrationDetail
  left: string[]
}

interface Broken {
  findings: string[]
  differences: string[]
}

/** Findings in an unedited copy. */
async function broken({ world, clean, first }: Copied): Promise<Broken> {
  if (clean) return { findings: [], differences: [] }
  const { differences } = await world.verify(first.requestId)
  return { findings: await findingsOf(world), differences: linesOfDifferences(differences) }
}

async function findingsOf(world: World): Promise<string[]> {
  return linesOfFindings(compareStores(await world.state('source'), await world.state('destination')))
}

/** Each line as many times as it occurs more often here than in the other list. */
function beyond(lines: string[], known: string[]): string[] {
  const left = [...known]
  return lines.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/**
 * Two items of the awkward store have one key, and one of them is copied: an edit of the copy is reported for both. Of such lines
 * the expected one is enough.
 */
function onceEach(lines: string[], expected: string[]): string[] {
  const ofCopy = (line: string) => line.split(' ').toSpliced(2, 1).join(' ')
  const copies = new Set(expected.map(ofCopy))
  return lines.filter((line) => expected.includes(line) || !copies.has(ofCopy(line)))
}

/**
 * Whether another line is about the same item. Lines of differences start with its component, the kind of difference and its
 * ids; those of findings are its key between such a kind and the field.
 */
function isAboutBroken(mutation: Mutation, { differences, findings }: Broken): boolean {
  const itemOf = (line: string) => line.split(' ').slice(2, 4).join(' ')
  const keyOf = (line: string) => line.split(' ').slice(0, -1).join(' ')
  const expected = mutation.expected()
  const [items, keys] = [new Set(differences.map(itemOf)), new Set(findings.map(keyOf))]
  return (
    expected.differences.some((line) => items.has(itemOf(line))) ||
    expected.findings.some((line) => keys.has(keyOf(line)))
  )
}

const writes = async (world: World) =>
  (await world.requests('destination')).filter(({ method }) => method !== 'GET').length

async function writesOfRun(world: World): Promise<number> {
  await world.resetRequests('destination')
  await world.complete()
  return writes(world)
}

/** Fields whose edit changes nothing else: no key, no address, no position. */
const plain =
  /\.(description|page_title|title|value|attribute_value|amount|rating|price|required|warranty|text|comments|company|notes?|search_keywords)\b/

/** Edits one item of every correctable component. */
export async function edited(results: Copied): Promise<Edited> {
  const { world, first } = results
  const known = await broken(results)
  const mutations = (await mutationsOf(world)).filter((one) => !isAboutBroken(one, known))
  const planted = new Map<string, Mutation>()
  const taken = new Set<string>()
  for (const { key } of entities.flatMap(({ components }) => components)) {
    const component = componentOf(key)
    if (!component.update) continue
    const own = mutations
      .filter(
        (one) => ofComponent(one, key) && !component.destinationOwned.some((field) => one.title.includes(`.${field} `)),
      )
      .filter(({ rows }) => !rows.some((row) => taken.has(row)))
    // An edit that changes few rows leaves more for the others.
    const one = own.find(({ title }) => plain.test(title)) ?? own.sort((a, b) => a.rows.length - b.rows.length)[0]
    if (!one) continue
    planted.set(key, one)
    for (const row of one.rows) taken.add(row)
  }
  const clean = await world.state('destination')
  // Every run retries what has failed.
  const triedAgain = results.clean ? 0 : await writesOfRun(world)
  for (const { changes } of planted.values()) for (const change of changes) await world.change('destination', change)
  await world.resetRequests('destination')
  const { differences } = await world.verify(first.requestId)
  const wroteOnVerify = await writes(world)
  for (const side of ['source', 'destination'] as const) await world.resetRequests(side)
  const second = await world.finished(await world.migrate(), { seconds: 600 })
  const requests = { source: await world.requests('source'), destination: await world.requests('destination') }
  const wroteOnSkip = (await writes(world)) - triedAgain
  const update = await world.complete({ conflictStrategy: 'update' })
  const left = beyond(await findingsOf(world), known.findings)
  for (const [key, { changes }] of planted)
    if (key in onlyVerifySees) for (const { table, id } of changes) await putBack(world, clean, table, id)
  const expected = [...planted.values()].flatMap((one) => one.expected().differences)
  const more = beyond(linesOfDifferences(differences), known.differences)
  const verified = results.clean ? more : onceEach(more, expected)
  return { planted, expected, verified, wroteOnVerify, wroteOnSkip, second, requests, update, left }
}

async function putBack(
  world: World,
  clean: Awaited<ReturnType<World['state']>>,
  table: string,
  id: number,
): Promise<void> {
  const { id: _id, ...fields } = clean[table]?.find((row) => row.id === id) ?? { id }
  await world.change('destination', { op: 'set', table, id, fields })
}

async function mutationsOf(world: World): Promise<Mutation[]> {
  const [source, destination] = [await world.state('source'), await world.state('destination')]
  return new Mutations(destination, pairAndCompare(source, destination).pairs).ofFields()
}

function ofComponent({ title }: Mutation, component: string): boolean {
  return tableRules.some(({ table, entity }) => entity === component && title.startsWith(`set ${table}.`))
}

export interface DestinationOwned {
  /** Components with a destination-owned value that was changed at the destination. */
  changed: string[]
  /** Findings while it is changed, after `update`, and after `update` with the request to overwrite it. */
  before: string[]
  kept: string[]
  overwritten: string[]
}

export async function destinationOwned(results: Stories): Promise<DestinationOwned> {
  const { world } = results
  const known = await broken(results)
  const components = entities
    .flatMap((entity) => entity.components)
    .filter((component) => component.destinationOwned.length > 0)
  const mutations = await mutationsOf(world)
  const planted = components.flatMap((component) => {
    const one = mutations.find(
      (mutation) =>
        !isAboutBroken(mutation, known) &&
        ofComponent(mutation, component.key) &&
        component.destinationOwned.some((field) => mutation.title.includes(`.${field} `)),
    )
    return one ? [{ key: component.key, one }] : []
  })
  for (const { one } of planted) for (const change of one.changes) await world.change('destination', change)
  const findings = async () => beyond(await findingsOf(world), known.findings)
  const before = await findings()
  await world.complete({ conflictStrategy: 'update' })
  const kept = await findings()
  await world.complete({ conflictStrategy: 'update', overwriteLiving: components.map(({ key }) => key) })
  return { changed: planted.map(({ key }) => key), before, kept, overwritten: await findings() }
}

/** Every kind of whole item gets one that only the destination has, and `replace` may delete them all. */
export async function replaced({ world }: Stories): Promise<{ detail: MigrationDetail; left: string[] }> {
  for (const entity of entities)
    for (const pass of entity.passes)
      if (isPruned(entity.prune === 'allowed', pass, componentOf(pass.root))) await makeDestinationOnly(world, pass)
  const limits = { pruneLimitPercent: 100, pruneLimitItems: 10_000, pruneLive: shoppersData }
  const detail = await world.complete({ conflictStrategy: 'replace', ...limits })
  return { detail, left: await findingsOf(world) }
}

/** An entity that refers to others is copied to an empty store without them. */
export function alone({ world }: Opened, entity: Entity): Promise<Alone> {
  return copiedTo(world, storeWithout(entity), [entity])
}

/** All that no other entity refers to, in one run. */
export function referring({ world }: Opened): Promise<Alone> {
  return copiedTo(world, 'referring', referringOnly())
}

async function copiedTo(world: World, destination: string, only: Entity[]): Promise<Alone> {
  const id = await world.migrate({ destination, entities: only.map(({ key }) => key) })
  const detail = await world.finished(id, { seconds: 600 })
  return { detail, issues: await world.issues(id) }
}

/** @returns the scopes of the mappings that a copy of one storefront recorded, by component. */
export async function ofStorefront({ world }: Opened): Promise<{
  detail: MigrationDetail
  scopes: Map<string, string[]>
}> {
  const pair = { sourceStorefront: '1', destStorefront: '1' }
  const detail = await world.finished(await world.migrate({ destination: 'storefront', ...pair }), { seconds: 600 })
  const { rows } = await sql<{ component: string; scopes: string[] }>`
    select component, array_agg(distinct scope) as scopes from mappings_of_pairs where run_id = ${detail.requestId}
    group by component`.execute(world.database)
  return { detail, scopes: new Map(rows.map(({ component, scopes }) => [component, scopes])) }
}
