import type { Answer, Query, StoreClient } from '../../bigcommerce/client.ts'
import { PlatformError } from '../../bigcommerce/errors.ts'
import { itemsIn, numberedPages } from '../../bigcommerce/pages.ts'
import type { KnownPass } from '../../db/runs/forecasts.ts'
import { type Draft, draft, type PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass, RunOptions } from '../../entities/core/pass.ts'
import type { Parts, Reading, WalkCalls } from '../../entities/core/reading.ts'
import { identity, type References } from '../../entities/core/references.ts'
import { channelsAt, storefrontsAmong } from '../../entities/core/storefront-channels.ts'
import { componentOf } from '../../entities/registry.ts'
import { type ChildCalls, type PassShape, partOf, type WalkedList } from '../../model/calls.ts'
import { sampleOfParts } from '../read/lists-in-parts.ts'
import { lengthOf, totalInPage } from '../read/store-totals.ts'
import { countingCalls } from './counting-calls.ts'

/** A store as the survey asks it: every answer leaves its latency and its quota behind. */
export type StoreReader = Pick<StoreClient, 'get'>

export interface SurveyedPass {
  entity: Entity
  pass: Pass
  adoptOnly: boolean
  options: RunOptions
}

interface SurveyInput {
  passes: readonly SurveyedPass[]
  source: StoreReader
  /** Null when it does not answer. */
  destination: StoreReader | null
  /** What earlier runs over the pair left, by component. */
  known: Map<string, KnownPass>
  /** The end of the last of them. */
  lastRunAt: Date | null
  /** What is known already, by component: it stands for lists that do not tell in time. */
  counts: Record<string, number>
  /** Totals are all that is wanted. */
  counting: boolean
  /** The run is over one storefront of each store. */
  oneStorefront: boolean
  signal: AbortSignal
}

/**
 * Pages of items that are looked at, spread over the whole list. More: a forecast takes longer and costs more of the quota; fewer:
 * it depends on which items are met (of 300 products, half are seen; with 8 pages the writes were off by 10 to 30 %).
 */
const pagesSampled = 16
/** Items whose own lists are read. */
const detailsSampled = 5
/** Items that are looked for at a destination of which nothing is known. */
const keysSampled = 4
/** Further calls about an item with children when none could be looked at. Our choice. */
const usualFurtherCalls = 0.5

/**
 * What each pass will meet, from totals that the stores tell and a sample of items made into drafts as a run makes them. A new
 * entity is forecast by what its passes and components declare; nothing here knows one by name.
 *
 * @returns a shape for every pass, of usual items where the stores gave no answer in time.
 */
export async function surveyPasses(input: SurveyInput): Promise<PassShape[]> {
  const survey = new Survey(input)
  await survey.ask()
  return input.passes.map((one) => survey.shapeOf(one))
}

/** Shapes for a source that could not be asked: usual items, as many as the counts given say. */
export function usualShapes(passes: readonly SurveyedPass[], counts: Record<string, number>): PassShape[] {
  return passes.map((one) => blankShape(one, counts[one.pass.root] ?? 0))
}

/** What one store told of its lists, by path. */
class ListTotals {
  /** Null when it does not answer. */
  readonly client: StoreReader | null
  readonly totals = new Map<string, number>()
  /** Calls of walks that were walked to be counted, and of lists in parts. */
  readonly walks = new Map<string, number>()
  /** Undefined where they did not come in time. */
  channels: readonly PlatformItem[] | undefined

  constructor(client: StoreReader | null) {
    this.client = client
  }

  total(reading: Reading): number | undefined {
    return this.totals.get(listOf(reading))
  }

  /** Null where the platform gives the list page by page, or nobody knows how it is walked. */
  walkOf(reading: Reading, { oneStorefront }: { oneStorefront: boolean }): WalkedList | null {
    const storefronts = oneStorefront || !this.channels ? 1 : storefrontsAmong(this.channels).length
    if (reading.walkCalls) return walkOver(reading.walkCalls, storefronts)
    const once = this.walks.get(listOf(reading))
    if (once === undefined) return null
    // Parts were asked for their length only.
    return { once, perItem: reading.parts ? 1 / reading.parts.limit : 0 }
  }
}

function walkOver(
  { once = 0, perStorefront = 0, perItem = 0, sideBySide }: WalkCalls,
  storefronts: number,
): WalkedList {
  return { once: once + perStorefront * storefronts, perItem, ...(sideBySide && { sideBySide }) }
}

class Survey {
  private readonly input: SurveyInput
  private readonly source: ListTotals
  private readonly destination: ListTotals
  private readonly samples = new Map<string, PassSample>()
  /** Share of the sampled items that stand at a destination without mappings, by pass. */
  private readonly shares = new Map<string, number>()
  private readonly changes = new Map<string, number>()
  /** Share of the items of a list that the run asks for, by component. */
  private readonly callsMade = new Map<string, number>()

  constructor(input: SurveyInput) {
    this.input = input
    this.source = new ListTotals(input.source)
    this.destination = new ListTotals(input.destination)
  }

  async ask(): Promise<void> {
    const { passes } = this.input
    await Promise.all([
      this.count(
        this.source,
        passes.map(({ pass }) => pass.source),
      ),
      this.count(
        this.destination,
        passes.map(({ pass }) => pass.destination),
      ),
      ...passes.map(({ pass }) => this.countChanges(pass)),
    ])
    await Promise.all(passes.map((one) => this.countRequested(one)))
    if (!this.input.counting) await Promise.all(passes.map((one) => this.sample(one)))
  }

  /** What nobody asks for is read and left alone, with what hangs on it. */
  shapeOf(one: SurveyedPass): PassShape {
    const { root, below } = one.pass
    const share = this.callsMade.get(root) ?? this.callsMade.get(below ?? '')
    const whole = this.wholeShapeOf(one)
    if (share === undefined) return whole
    return { ...partOf(whole, share), items: whole.items, detailReads: whole.detailReads * share }
  }

  private wholeShapeOf(one: SurveyedPass): PassShape {
    const { pass } = one
    const items = this.source.total(pass.source) ?? this.input.counts[pass.root] ?? 0
    const sample = this.samples.get(pass.key)
    const known = this.input.known.get(pass.root)
    const listed = this.destination.total(pass.destination) ?? 0
    // What was copied there is there, however many there usually are.
    const existing = pass.destination.usually === undefined ? listed : Math.max(listed, known?.mapped ?? 0)
    const shape = {
      ...blankShape(one, items),
      standing: existing,
      sourceWalk: this.source.walkOf(pass.source, this.input),
      listWalk: this.destination.walkOf(pass.destination, this.input),
      ...sample,
      held: items * (sample?.heldShare ?? (pass.holds ? 0 : 1)),
    }
    if (!known) return { ...shape, adopted: Math.min(this.heldThere(pass, shape.held), existing) }
    return {
      ...shape,
      mapped: known.mapped,
      owing: known.owing,
      changed: this.changes.get(pass.key) ?? 0,
      // What a list shows in full needs no closer look.
      unsealed: pass.byIds ? known.unsealed : 0,
    }
  }

  /** What is walked, every store has of itself; of a list that is never empty, its first item. */
  private heldThere(pass: Pass, held: number): number {
    if (pass.source.pages) return held
    return Math.max(held * this.shareThere(pass), pass.destination.neverEmpty ? Math.min(1, held) : 0)
  }

  /** Where nothing was looked for, as where something was. */
  private shareThere(pass: Pass): number {
    const own = this.shares.get(pass.key)
    if (own !== undefined) return own
    const others = [...this.shares.values()]
    return others.length === 0 ? 1 : others.reduce((sum, share) => sum + share, 0) / others.length
  }

  private async count(store: ListTotals, readings: Reading[]): Promise<void> {
    if (!store.client) return
    if (readings.some(({ walkCalls }) => walkCalls?.perStorefront)) await this.readChannels(store, store.client)
    await Promise.all(byPath(readings).map((reading) => this.countList(store, reading)))
  }

  private async readChannels(store: ListTotals, client: StoreReader): Promise<void> {
    await this.tolerant(async () => {
      store.channels = await channelsAt(client, { signal: this.input.signal })
    })
  }

  private async countList({ client, totals, walks, channels }: ListTotals, reading: Reading): Promise<void> {
    if (!client) return
    await this.tolerant(async () => {
      const counted = countingCalls(client)
      const { signal } = this.input
      const length = await lengthOf(counted.client, reading, { signal, mostPages: pagesSampled, channels })
      totals.set(listOf(reading), length ?? 0)
      if (reading.parts || (reading.pages && !reading.walkCalls)) walks.set(listOf(reading), counted.calls())
    })
  }

  private async countRequested({ pass, options }: SurveyedPass): Promise<void> {
    const all = this.source.total(pass.source) ?? 0
    if (!pass.countRequested || !pass.isRequested || all === 0) return
    await this.tolerant(async () => {
      const requested = await pass.countRequested?.(this.input.source, options, { signal: this.input.signal })
      if (requested !== undefined && requested < all) this.callsMade.set(pass.root, requested / all)
    })
  }

  private async countChanges({ key, root, source, destination, changedSince }: Pass): Promise<void> {
    const { known, lastRunAt } = this.input
    if (!changedSince || !lastRunAt || !known.has(root)) return
    // The platform's times are of whole seconds.
    const query = { limit: 1, [changedSince]: new Date(lastRunAt.getTime() + 1000).toISOString() }
    const answers = await Promise.all([
      this.get(this.input.source, source.path, query),
      this.get(this.input.destination, destination.path, query),
    ])
    this.changes.set(
      key,
      answers.reduce((sum, answer) => sum + (answer ? (totalInPage(answer) ?? 0) : 0), 0),
    )
  }

  private async sample({ pass, adoptOnly }: SurveyedPass): Promise<void> {
    if (!pass.byIds && !pass.parentOf && !pass.details && pass.below !== undefined) return
    const items = await this.sampledItems(pass)
    if (items.length === 0) return
    this.samples.set(pass.key, sampleOf(pass, items, await this.withDetails(pass, items)))
    if (!adoptOnly) await this.lookFor(pass, items)
  }

  /** Whole pages, spread evenly; one page of what has nothing hanging on it. */
  private async sampledItems({ source, byIds }: Pass): Promise<PlatformItem[]> {
    const total = this.source.total(source) ?? 0
    if (total === 0) return []
    if (source.parts) return this.sampleOfParts(source, source.parts)
    // Every call of such a walk is one item: to look at some would cost as much as to read them.
    if (source.pages) return []
    const last = Math.ceil(total / source.limit)
    const requested = byIds ? Math.min(pagesSampled, last) : 1
    const numbers = Array.from({ length: requested }, (_, at) => 1 + Math.floor((at * last) / requested))
    const answers = await Promise.all(
      numbers.map((page) => this.get(this.input.source, source.path, { ...source.query, limit: source.limit, page })),
    )
    return answers.flatMap((answer) => (answer ? itemsIn<PlatformItem>(answer, source.path) : []))
  }

  private async sampleOfParts(source: Reading, parts: Parts): Promise<PlatformItem[]> {
    let found: PlatformItem[] = []
    await this.tolerant(async () => {
      found = await sampleOfParts(this.input.source, source, parts, { signal: this.input.signal })
    })
    return found
  }

  /** Lists of their own of a few of the items that may have one, by id. */
  private async withDetails(pass: Pass, items: PlatformItem[]): Promise<Map<PlatformItem, PlatformItem>> {
    const { details = [] } = pass
    const having = items.filter((item) => details.some(({ mayHave }) => mayHave(item)))
    const step = Math.max(1, Math.floor(having.length / detailsSampled))
    const chosen = having.filter((_, at) => at % step === 0).slice(0, detailsSampled)
    const whole = await Promise.all(
      chosen.map(async (item) => {
        const own = { ...item }
        const id = String(item[pass.source.idField])
        for (const { field, path, query, mayHave, listed } of details)
          if (mayHave(item)) own[field] = await this.detail(path(id), query?.(id), listed)
        return [item, own] as const
      }),
    )
    return new Map(whole)
  }

  private async detail(
    path: string,
    query: Query = {},
    listed?: NonNullable<Pass['details']>[number]['listed'],
  ): Promise<PlatformItem[]> {
    const found: PlatformItem[] = []
    const options = { signal: this.input.signal }
    await this.tolerant(async () => {
      if (listed) return void found.push(...listed((await this.input.source.get(path, query, options)).body))
      for await (const { items } of numberedPages<PlatformItem>(this.input.source, path, query, options))
        found.push(...items)
    })
    return found
  }

  /** Whether items stand at the destination already, when no mapping tells. */
  private async lookFor(pass: Pass, items: PlatformItem[]): Promise<void> {
    const { destination, known } = this.input
    const existing = this.destination.total(pass.destination) ?? 0
    const { probe, create } = componentOf(pass.root)
    if (!destination || !probe || known.has(pass.root) || pass.parentOf || pass.below !== undefined) return
    if (create?.batch !== 1) return
    if (existing === 0) return void this.shares.set(pass.key, 0)
    const step = Math.max(1, Math.floor(items.length / keysSampled))
    const drafts = items
      .filter((_, at) => at % step === 0)
      .slice(0, keysSampled)
      .map((item) => pass.drafts(item, identity))
    const found = await Promise.all(
      drafts.map(async (one) => {
        let there = false
        await this.tolerant(async () => {
          const hits = await probe(destination, { keys: [one.keys], parentIds: [''] })
          there = hits.some((hit) => hit.keys.some((key) => one.keys.includes(key)))
        })
        return there
      }),
    )
    this.shares.set(pass.key, found.filter(Boolean).length / Math.max(1, found.length))
  }

  private async get(client: StoreReader | null, path: string, query: Query): Promise<Answer | undefined> {
    let answer: Answer | undefined
    await this.tolerant(async () => {
      answer = await client?.get(path, query, { signal: this.input.signal })
    })
    return answer
  }

  /** What a store refuses, or does not answer in time, is left to the usual; the run itself will say what is wrong. */
  private async tolerant(ask: () => Promise<void>): Promise<void> {
    try {
      await ask()
    } catch (error) {
      if (!(error instanceof PlatformError) && !this.input.signal.aborted) throw error
    }
  }
}

/** One reading of each list. */
function byPath(readings: Reading[]): Reading[] {
  return [...new Map(readings.map((reading) => [listOf(reading), reading])).values()]
}

/** Lists at one address are one list; the parts that its items have are another, and so is what a walk finds there. */
function listOf({ path, parts, pages }: Reading): string {
  if (parts) return `${path} in parts`
  return pages ? `${path} walked` : path
}

type PassSample = Pick<PassShape, 'creation' | 'detailReads' | 'late' | 'levels'> & { heldShare: number }

function sampleOf(pass: Pass, items: PlatformItem[], details: Map<PlatformItem, PlatformItem>): PassSample {
  const mayHave = (item: PlatformItem) => (pass.details ?? []).filter((detail) => detail.mayHave(item)).length
  const having = items.filter((item) => mayHave(item) > 0).length
  const whole = [...details.values()]
  const held = whole.length === 0 || !pass.holds ? 1 : whole.filter(pass.holds).length / whole.length
  const counts = new CreationCounts()
  let late = 0
  for (const item of items) {
    const others = new NamedOthers(pass.root)
    counts.add(pass.drafts(item, others), 1 / items.length)
    late += others.waits / items.length
  }
  // What the own lists add was seen on some of those that may have one, and stands for all of them.
  for (const [raw, item] of details) {
    counts.add(pass.drafts(item, identity), having / items.length / details.size)
    counts.add(pass.drafts(raw, identity), -having / items.length / details.size)
  }
  return {
    creation: counts.list(),
    detailReads: items.reduce((sum, item) => sum + mayHave(item), 0) / items.length,
    // A hierarchy is written level by level instead.
    late: pass.parentOf ? 0 : late,
    levels: pass.parentOf ? levelsOf(pass, items) : 1,
    heldShare: held,
  }
}

/** Mean numbers of what creating an item creates, and of the calls it takes. */
class CreationCounts {
  private readonly byComponent = new Map<string, ChildCalls>()

  add(root: Draft, weight: number): void {
    this.addOne(root, weight, callsFor(root, false), true)
    for (const child of root.children) this.addChild(child, weight)
  }

  list(): ChildCalls[] {
    return [...this.byComponent.values()].filter(({ perItem }) => perItem > 1e-9)
  }

  private addChild(child: Draft, weight: number): void {
    this.addOne(child, weight, child.inline ? 0 : callsFor(child, true))
    for (const below of child.children) this.addChild(below, weight)
  }

  private addOne(one: Draft, weight: number, calls: number, isRoot = false): void {
    const { component } = one
    const { recovery } = componentOf(component)
    const counted = this.byComponent.get(component) ?? {
      component,
      perItem: 0,
      calls: 0,
      heavy: calls > 0 && isHeavy(one),
      // On what is new itself nothing hangs yet.
      looksFirst: recovery === 'baseline' && isRoot && one.parentId === null,
    }
    counted.perItem += weight
    counted.calls += weight * calls
    this.byComponent.set(component, counted)
  }
}

/** As its component declares; one call more when it carries what cannot be sent with its creation. */
function callsFor(one: Draft, isChild: boolean): number {
  const { callsPerItem, carried } = componentOf(one.component)
  if (isChild && carried) return 0
  const corrects = one.children.some((child) => !child.inline && componentOf(child.component).carried)
  return callsPerItem.write + (isChild && corrects ? 1 : 0)
}

function isHeavy(one: Draft): boolean {
  return componentOf(one.component).create?.call([{ draft: one, parentId: '0', parent: null }]).heavy === true
}

/** References that note how many others of its own kind an item names. */
class NamedOthers implements References {
  count = 0
  private readonly root: string

  constructor(root: string) {
    this.root = root
  }

  need(component: string, sourceId: unknown): number {
    if (component === this.root) this.count++
    return Number(sourceId)
  }

  want(component: string, sourceId: unknown): number {
    return this.need(component, sourceId)
  }

  find(component: string, sourceId: unknown): number {
    return this.need(component, sourceId)
  }

  wantText(component: string, sourceId: unknown): string {
    return String(this.need(component, sourceId))
  }

  picture: References['picture'] = identity.picture

  /** The chance that one of `count` others comes later in the list, wherever the item itself stands in it. */
  get waits(): number {
    return this.count / (this.count + 1)
  }
}

/** The longest line of parents among the items looked at. */
function levelsOf(pass: Pass, items: PlatformItem[]): number {
  const parents = new Map(items.map((item) => [String(item[pass.source.idField]), pass.parentOf?.(item) ?? null]))
  let deepest = 1
  for (const id of parents.keys()) {
    let depth = 1
    for (let at = parents.get(id); at && parents.has(at) && depth < parents.size; at = parents.get(at)) depth++
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

function blankShape({ entity, pass, adoptOnly }: SurveyedPass, items: number): PassShape {
  const { destination, source, byIds } = pass
  const root = componentOf(pass.root)
  const further = { component: pass.root, perItem: 0, calls: usualFurtherCalls, heavy: false, looksFirst: false }
  return {
    phase: entity.key,
    key: pass.key,
    root: pass.root,
    adoptOnly,
    items,
    held: items,
    standing: 0,
    mapped: 0,
    owing: 0,
    adopted: 0,
    changed: 0,
    unsealed: 0,
    sourcePage: source.limit,
    listPage: destination.limit,
    comparedPage: destination.compared?.limit ?? destination.limit,
    byIdsPage: byIds?.limit ?? null,
    // As in a store with one storefront.
    sourceWalk: source.walkCalls ? walkOver(source.walkCalls, 1) : null,
    listWalk: destination.walkCalls ? walkOver(destination.walkCalls, 1) : null,
    createOnly: pass.createOnly === true,
    unread: false,
    complete: destination.complete,
    staged: source.kind === 'staged',
    levels: pass.parentOf ? 3 : 1,
    detailReads: pass.details?.length ?? 0,
    creation: [
      {
        component: pass.root,
        perItem: 1,
        calls: root.callsPerItem.write,
        heavy: isHeavy(draft(pass.root, '0', {})),
        looksFirst: root.recovery === 'baseline',
      },
      ...(byIds ? [further] : []),
    ],
    updateBatch: root.update?.several?.batch ?? 1,
    late: 0,
    // What hangs on an item of another pass goes with it.
    removable: root.remove !== undefined && entity.prune === 'allowed' && pass.below === undefined,
  }
}
