import type { Answer } from '../../bigcommerce/client.ts'
import { PlatformError } from '../../bigcommerce/errors.ts'
import { isV2, itemsIn, numberedPages } from '../../bigcommerce/pages.ts'
import type { Query } from '../../bigcommerce/query.ts'
import type { KnownPass } from '../../db/runs/forecasts.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { Parts, Reading } from '../../entities/core/reading.ts'
import { identity } from '../../entities/core/references.ts'
import { channelsAt } from '../../entities/core/storefront-channels.ts'
import { componentOf } from '../../entities/registry.ts'
import { compares, type PassShape, partOf } from '../../model/forecast/calls.ts'
import type { KeptShape } from '../../model/forecast/kept-shape.ts'
import type { Scope } from '../../model/forecast/scope.ts'
import { countParts, sampleOfParts } from '../read/lists-in-parts.ts'
import { lengthOf, totalInPage } from '../read/store-totals.ts'
import { countingCalls } from './counting-calls.ts'
import type { LastSurvey } from './last-survey.ts'
import { byPath, ListTotals, listOf, type StoreReader } from './list-totals.ts'
import { blankShape, type SurveyedPass } from './pass-shape.ts'
import { type PassSample, sampleOf } from './sample-shape.ts'

interface SurveyInput {
  passes: readonly SurveyedPass[]
  source: StoreReader
  /** Null when the store does not answer. */
  destination: StoreReader | null
  /** What earlier runs over the pair copied, by component. */
  known: Map<string, KnownPass>
  /** When the last of those runs ended. */
  lastRunAt: Date | null
  /** Counts by component that are known already, for lists that cannot be counted in time. */
  counts: Record<string, number>
  /** The run is over one storefront of each store. */
  oneStorefront: boolean
  scope: Pick<Scope, 'mode' | 'strategy'>
  /** What is taken over from the last survey, with only long lists counted again; null: everything is read. */
  last: LastSurvey | null
  signal: AbortSignal
}

/**
 * Pages in the sample, spread over the whole list. With more, a forecast takes longer and uses more of the quota. With
 * fewer, it depends too much on which items are sampled: of 300 products half are, and with 8 pages the writes were off
 * by 10 to 30%.
 */
const pagesSampled = 16
/** How many items have their details read. */
const detailsSampled = 5
/** How many items are looked up at a destination without mappings. */
const keysSampled = 4

/**
 * The shape of each pass, from the totals of both stores and a sample of items that are drafted as in a run. A new
 * entity is forecast from what its passes and components declare.
 *
 * @returns a shape for every pass, with average items where the stores did not answer in time
 */
export async function surveyPasses(input: SurveyInput): Promise<PassShape[]> {
  const survey = new Survey(input)
  await survey.read()
  return input.passes.map((one) => survey.shapeOf(one))
}

/** Items without children or details are all alike. */
function isSampled({ byIds, parentOf, details, below }: Pass): boolean {
  return byIds !== undefined || parentOf !== undefined || details !== undefined || below === undefined
}

class Survey {
  private readonly input: SurveyInput
  private readonly source: ListTotals
  private readonly destination: ListTotals
  private readonly samples = new Map<string, PassSample>()
  /** Share of the sampled items that exist at a destination without mappings, by pass. */
  private readonly shares = new Map<string, number>()
  private readonly changes = new Map<string, number>()
  /** Share of the items of a list that are requested, by component. */
  private readonly requested = new Map<string, number>()

  constructor(input: SurveyInput) {
    this.input = input
    this.source = new ListTotals(input.source)
    this.destination = new ListTotals(input.destination)
  }

  async read(): Promise<void> {
    const { passes, scope, last } = this.input
    if (last) return this.readAgain(last)
    // Only totals are needed.
    const counting = scope.mode === 'counts'
    const sampled = counting ? [] : passes.filter(({ pass }) => isSampled(pass)).map(({ pass }) => pass.source)
    await Promise.all([
      this.count(
        this.source,
        passes.map(({ pass }) => pass.source),
        new Set(sampled),
      ),
      this.count(
        this.destination,
        passes.map(({ pass }) => pass.destination),
      ),
      ...passes.map(({ pass }) => this.countChanges(pass)),
    ])
    await Promise.all(passes.map((one) => this.countRequested(one)))
    if (!counting) await Promise.all(passes.map((one) => this.sample(one)))
  }

  /** A list that fitted a page is taken to be as long as it was, and the destination to have what was copied. */
  private async readAgain(last: LastSurvey): Promise<void> {
    const { passes } = this.input
    const long = passes.filter(({ pass: { key, source } }) => {
      const { items = 0, sourceWalk = null } = last.get(key) ?? {}
      return items > source.limit && !sourceWalk
    })
    await Promise.all([
      this.count(
        this.source,
        long.map(({ pass }) => pass.source),
      ),
      ...passes.map(({ pass }) => this.countChanges(pass)),
    ])
  }

  /** Items that are not requested are read, but neither they nor their children are copied. */
  shapeOf(one: SurveyedPass): PassShape {
    const { root, below } = one.pass
    const last = this.input.last?.get(one.pass.key)
    if (last) return this.shapeSince(last, one)
    const own = this.requested.get(root)
    const share = own ?? this.requested.get(below ?? '')
    const whole = this.wholeShapeOf(one)
    if (share === undefined) return whole
    const part = { ...partOf(whole, share), items: whole.items, detailReads: whole.detailReads * share }
    return own === undefined ? { ...part, guessed: true } : part
  }

  private wholeShapeOf(one: SurveyedPass): PassShape {
    const { pass } = one
    const items = this.source.total(pass.source) ?? this.input.counts[pass.root] ?? 0
    const sample = this.samples.get(pass.key)
    const known = this.input.known.get(pass.root)
    const listed = this.destination.total(pass.destination) ?? 0
    // No fewer than earlier runs copied.
    const existing = pass.destination.usually === undefined ? listed : Math.max(listed, known?.mapped ?? 0)
    const shape = {
      ...blankShape(one, items),
      standing: existing,
      sourceWalk: this.source.walkOf(pass.source, this.input),
      listWalk: this.destination.walkOf(pass.destination, this.input),
      ...sample,
      held: items * (sample?.heldShare ?? (pass.holds ? 0 : 1)),
      ...(this.isGuess(pass) && { guessed: true as const }),
    }
    if (!known) return { ...shape, adopted: Math.min(this.heldThere(pass, shape.held), existing) }
    return { ...shape, ...this.copied(pass, known) }
  }

  private shapeSince({ items: then, held, standing, listWalk, ...last }: KeptShape, one: SurveyedPass): PassShape {
    const { pass } = one
    const counted = this.source.total(pass.source) ?? this.input.counts[pass.root]
    const items = counted ?? then
    const known = this.input.known.get(pass.root)
    return {
      ...blankShape(one, items),
      ...last,
      // The destination may have had none of the copies yet when its list was walked.
      listWalk: known && (last.sourceWalk?.once ?? 0) > (listWalk?.once ?? 0) ? last.sourceWalk : listWalk,
      held: then === 0 ? (pass.holds ? 0 : items) : (items * held) / then,
      standing: Math.max(standing, known?.mapped ?? 0),
      ...(counted === undefined && { guessed: true as const }),
      ...(known && this.copied(pass, known)),
    }
  }

  private copied({ key, byIds }: Pass, { mapped, owing, unsealed, withExtra }: KnownPass) {
    return {
      mapped,
      owing,
      changed: this.changes.get(key) ?? 0,
      // Items that the list shows in full do not have to be read again.
      unsealed: byIds ? unsealed : 0,
      withExtra: byIds ? withExtra : 0,
    }
  }

  /** Whether the number of items is an estimate, and not the store's own count. */
  private isGuess({ source, root, holds }: Pass): boolean {
    const counted = this.source.total(source) ?? this.input.counts[root]
    // A v2 list has to be read to count it, and only its first pages are.
    const isCut = isV2(source.path) && (counted ?? 0) >= pagesSampled * source.limit && !source.length
    return counted === undefined || isCut || holds !== undefined || source.usually !== undefined
  }

  /** Items that exist in any store: all of a walked list, and at least one of a list that is never empty. */
  private heldThere(pass: Pass, held: number): number {
    if (pass.source.pages) return held
    return Math.max(held * this.shareThere(pass), pass.destination.neverEmpty ? Math.min(1, held) : 0)
  }

  /** Passes without a probe are assumed to be like the others. */
  private shareThere(pass: Pass): number {
    const own = this.shares.get(pass.key)
    if (own !== undefined) return own
    const others = [...this.shares.values()]
    return others.length === 0 ? 1 : others.reduce((sum, share) => sum + share, 0) / others.length
  }

  /** @param sampled of these, the first page is read anyway */
  private async count(
    store: ListTotals,
    readings: Reading[],
    sampled: ReadonlySet<Reading> = new Set(),
  ): Promise<void> {
    if (!store.client) return
    if (readings.some(({ walkCalls }) => walkCalls?.perStorefront)) await this.readChannels(store, store.client)
    await Promise.all(
      byPath(readings).map((reading) => this.countList(store, reading, { byFirstPage: sampled.has(reading) })),
    )
  }

  private async readChannels(store: ListTotals, client: StoreReader): Promise<void> {
    await this.tolerant(async () => {
      store.channels = await channelsAt(client, { signal: this.input.signal })
    })
  }

  private async countList(
    { client, totals, walks, channels }: ListTotals,
    reading: Reading,
    { byFirstPage }: { byFirstPage: boolean },
  ): Promise<void> {
    if (!client) return
    await this.tolerant(async () => {
      const counted = countingCalls(client)
      const { signal } = this.input
      const copied = this.copiedInParts(reading)
      if (copied !== undefined) {
        const parts = await countParts(counted.client, reading, { signal })
        totals.set(listOf(reading), copied)
        return void walks.set(listOf(reading), counted.calls() + parts)
      }
      const options = { signal, mostPages: pagesSampled, channels, byFirstPage }
      const length = await lengthOf(counted.client, reading, options)
      totals.set(listOf(reading), length ?? 0)
      if (reading.parts || (reading.pages && !reading.walkCalls)) walks.set(listOf(reading), counted.calls())
    })
  }

  /**
   * The length of a list in parts whose items were copied before: counting each part takes a call, and is done only for
   * stores that are new to each other, and where it decides what is deleted. Undefined for other lists.
   */
  private copiedInParts(reading: Reading): number | undefined {
    const { passes, known, scope } = this.input
    const of = passes.find(({ pass: { source, destination } }) => [source, destination].includes(reading))
    if (!of || !reading.parts || (scope.strategy === 'replace' && of.pass.destination === reading)) return undefined
    return known.get(of.pass.root)?.mapped
  }

  private async countRequested({ pass, options }: SurveyedPass): Promise<void> {
    const all = this.source.total(pass.source) ?? 0
    if (!pass.countRequested || !pass.isRequested || all === 0) return
    await this.tolerant(async () => {
      const requested = await pass.countRequested?.(this.input.source, options, { signal: this.input.signal })
      if (requested !== undefined && requested < all) this.requested.set(pass.root, requested / all)
    })
  }

  private async countChanges({ key, root, source, destination, changedSince, createOnly }: Pass): Promise<void> {
    const { known, lastRunAt, scope } = this.input
    const matters = scope.mode === 'verify' || (compares(scope.strategy) && !createOnly)
    if (!changedSince || !lastRunAt || !known.has(root) || !matters) return
    // The platform's times are in whole seconds.
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
    if (!isSampled(pass)) return
    const items = await this.sampledItems(pass)
    if (items.length === 0) return
    this.samples.set(pass.key, sampleOf(pass, items, await this.withDetails(pass, items)))
    if (!adoptOnly) await this.lookFor(pass, items)
  }

  /** Whole pages, spread evenly; one page if the items have no children. */
  private async sampledItems({ source, byIds }: Pass): Promise<PlatformItem[]> {
    const total = this.source.total(source) ?? 0
    if (total === 0) return []
    if (source.parts) return this.sampleOfParts(source, source.parts)
    // Each call of such a walk returns one item, so a sample would cost as much as reading them all.
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

  /** A few of the items that may have details, each with its details. */
  private async withDetails(pass: Pass, items: PlatformItem[]): Promise<Map<PlatformItem, PlatformItem>> {
    const { details = [] } = pass
    const having = items.filter((item) => details.some(({ mayHave }) => mayHave(item)))
    const step = Math.max(1, Math.floor(having.length / detailsSampled))
    const chosen = having.filter((_, at) => at % step === 0).slice(0, detailsSampled)
    const whole = await Promise.all(
      chosen.map(async (item) => {
        const own = { ...item }
        const id = String(item[pass.source.idField])
        for (const { field, path, query, mayHave, listed, keeps = () => true } of details)
          if (mayHave(item)) own[field] = (await this.detail(path(id), query?.(id), listed)).filter(keeps)
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

  /** For a component without mappings, estimates how many of its items exist at the destination. */
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

  /** If a store refuses or is too slow, default numbers are used; the run itself will report what is wrong. */
  private async tolerant(read: () => Promise<void>): Promise<void> {
    try {
      await read()
    } catch (error) {
      if (!(error instanceof PlatformError) && !this.input.signal.aborted) throw error
    }
  }
}
