import { sql } from 'kysely'
import { seededRandom } from '../../../sandbox/store/random.ts'
import type { StoreClient } from '../../../src/bigcommerce/client.ts'
import type { Issue } from '../../../src/contract/issues.ts'
import type { MigrationDetail } from '../../../src/contract/migration.ts'
import type { Pass } from '../../../src/entities/core/pass.ts'
import { componentOf } from '../../../src/entities/registry.ts'
import { pairAndCompare } from '../../comparison/compare-stores.ts'
import { addCatalogueParts } from '../../comparison/more-catalogue.ts'
import { addModifiers } from '../../comparison/more-modifiers.ts'
import type { Row, State } from '../../comparison/store-side.ts'
import type { TableRules } from '../../comparison/table-rule.ts'
import { tableRules } from '../../comparison/table-rules.ts'
import { workerGround } from '../../harness/worker-ground.ts'
import { startWorld, type World } from '../../harness/world.ts'
import type { Side } from '../../harness/world-sandbox.ts'
import { clientsOf } from './clients.ts'
import { act, type Dice, deedsOf, type Found, itemsOf, passesOf } from './people.ts'
import { type Relay, startRelay } from './relay.ts'

export type Strategy = 'skip' | 'update' | 'replace'

/** Something that people did in one of the stores. */
interface Done {
  number: number
  /** Calls of the runs before it. */
  calls: number
  run: number
  /** While the run went; else before it. */
  during: boolean
  side: Side
  what: string
}

/** What an act changed in the tables of the destination. */
export interface Trace {
  run: number
  during: boolean
  isDeletion: boolean
  made: [table: string, id: number][]
  gone: [table: string, row: Row][]
  changed: [table: string, before: Row, after: Row][]
  /** Of what is gone, the sources of copies: table and id. */
  copies: Set<string>
}

/** A run that has ended. */
export interface Ended {
  strategy: Strategy
  detail: MigrationDetail
  issues: Issue[]
  /** The moment of the source at which it began. */
  from: number
  /** What it said it cannot copy: component and id of the source. */
  notCopied: ReadonlySet<string>
}

export interface ChurnOptions {
  seed: number
  strategies: readonly Strategy[]
}

/** Calls between two acts. */
const gaps = { least: 35, most: 70 }

/** Two stores in which people are at work while they are copied. */
export class Churn {
  readonly world: World
  readonly done: Done[] = []
  /** The source, before the first act and after each. */
  readonly moments: State[] = []
  readonly traces: Trace[] = []
  born: State = {}
  run = 0
  private readonly relay: Relay
  private readonly options: ChurnOptions
  private readonly clients: Record<Side, StoreClient>
  private passes: [string, Pass][] = []
  private number = 0

  constructor(world: World, relay: Relay, options: ChurnOptions) {
    this.world = world
    this.relay = relay
    this.options = options
    this.clients = clientsOf(world)
  }

  async prepare(): Promise<void> {
    await addModifiers(this.world)
    await addCatalogueParts(this.world, 'source')
    this.passes = [...(await passesOf(this.clients.source))].filter(
      ([key, pass]) => !pass.lookupOnly && deedsOf(componentOf(key), pass).length > 0,
    )
    this.moments.push(await this.world.state('source'))
    this.born = await this.world.state('destination')
  }

  /** Some acts, and then a run with acts between its calls. */
  async copy(strategy: Strategy): Promise<Ended> {
    this.run += 1
    if (this.run > 1) for (let n = 0; n < 5; n++) await this.actOnce(false)
    const from = this.moments.length - 1
    const dice = this.diceOf(0)
    const gap = () => gaps.least + dice(gaps.most - gaps.least + 1)
    this.relay.actAfter(gap(), async () => {
      await this.actOnce(true)
      return gap()
    })
    const limits = strategy === 'replace' ? { pruneLimitPercent: 100, pruneLimitItems: 10_000 } : {}
    const id = await this.world.migrate({ conflictStrategy: strategy, ...limits })
    const detail = await this.world.finished(id, { seconds: 280 })
    await this.relay.stopActing()
    const mappings = await mappingsOf(this.world)
    for (const trace of this.traces) if (trace.run === this.run) this.noteCopies(trace, mappings)
    const findings = await this.world.findings(id)
    const notCopied = findings.map(({ component, item }) => `${component}/${item.sourceId}`)
    return { strategy, detail, issues: await this.world.issues(id), from, notCopied: new Set(notCopied) }
  }

  private diceOf(number: number): Dice {
    const random = seededRandom(this.options.seed * 10_000 + this.run * 1_000 + number)
    return (below) => Math.floor(random() * below)
  }

  private async actOnce(during: boolean): Promise<void> {
    this.number += 1
    const dice = this.diceOf(this.number)
    const side: Side = dice(5) < 3 ? 'source' : 'destination'
    const before = side === 'destination' ? await this.world.state('destination') : undefined
    const what = await this.something(side, dice)
    if (what === undefined) return
    this.done.push({ number: this.number, calls: this.relay.calls(), run: this.run, during, side, what })
    if (before) this.traces.push(await this.traceOf(before, await this.world.state('destination'), { during, what }))
    else this.moments.push(await this.world.state('source'))
  }

  private async something(side: Side, dice: Dice): Promise<string | undefined> {
    for (let tries = 1; tries <= 10; tries++) {
      const [key, pass] = this.passes[dice(this.passes.length)] ?? []
      if (key === undefined || pass === undefined) return undefined
      const possible = deedsOf(componentOf(key), pass)
      const deed = possible[dice(possible.length)] ?? 'edit'
      const all = await itemsOf(this.clients[side], pass)
      // Ids of copies differ from run to run, as their order does.
      const items = all.filter(({ component }) => component.key === key).sort(byNames)
      const one = items[dice(items.length)]
      if (!one) continue
      const what = await act(this.clients[side], deed, one, dice, `c${this.number}`)
      if (what !== undefined) return `${deed} ${what}`
    }
    return undefined
  }

  private async traceOf(before: State, after: State, { during, what }: Pick<Done, 'during' | 'what'>): Promise<Trace> {
    const isDeletion = what.startsWith('delete ')
    const trace: Trace = { run: this.run, during, isDeletion, made: [], gone: [], changed: [], copies: new Set() }
    const mappings = await mappingsOf(this.world)
    for (const table of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [was, is] = [before, after].map((state) => new Map((state[table] ?? []).map((row) => [row.id, row])))
      for (const [id, row] of is ?? []) {
        const old = was?.get(id)
        if (!old) trace.made.push([table, id])
        else if (JSON.stringify(old) !== JSON.stringify(row)) trace.changed.push([table, old, row])
      }
      for (const [id, row] of was ?? []) if (!is?.has(id)) trace.gone.push([table, row])
    }
    this.noteCopies(trace, mappings)
    if (trace.gone.length > 0) {
      // Some are known by ids that no row has.
      const { pairs } = pairAndCompare(this.moments.at(-1) ?? {}, before, await knownPairs(this, before))
      const gone = new Set(trace.gone.map(([table, { id }]) => `${table}/${id}`))
      for (const [table, list] of Object.entries(pairs))
        for (const { source, destination } of list)
          if (gone.has(`${table}/${destination.id}`)) trace.copies.add(`${table}/${source.id}`)
    }
    return trace
  }

  /** An answer may be on its way to the run while its item is deleted already: hence once more when the run has ended. */
  private noteCopies(trace: Trace, mappings: Mapping[]): void {
    for (const [table, row] of trace.gone) {
      const rules = tableRules.find((one) => one.table === table)
      if (!rules) continue
      const id = idOf(rules, row)
      for (const { component, sourceId, destinationId } of mappings)
        if (component === rules.entity && destinationId === id) trace.copies.add(`${table}/${sourceId}`)
    }
  }

  /** What was done, for a person who wants to see it happen again. */
  describe(): string {
    const lines = this.done.map(
      ({ number, calls, run, during, side, what }) =>
        `${number}. ${during ? `in run ${run}` : `before run ${run}`}, after ${calls} calls, ${side}: ${what}`,
    )
    return [`Seed ${this.options.seed}, ${this.options.strategies.join(', ')}:`, ...lines].join('\n')
  }

  async stop(): Promise<void> {
    await Promise.all(Object.values(this.clients).map((client) => client.close()))
    await this.world.stop()
    await this.relay.stop()
  }
}

function byNames(one: Found, other: Found): number {
  const names = ({ draft, parent }: Found) => `${parent?.name} ${draft.name ?? draft.keys[0]} ${draft.sku}`
  return names(one) < names(other) ? -1 : 1
}

export async function aChurn(options: ChurnOptions): Promise<Churn> {
  const relay = await startRelay((await workerGround()).sandbox.url)
  const switches = { destination: { order_stock: 'cut' } }
  const world = await startWorld({ apiUrl: relay.url, requestTimeoutSeconds: 30, switches })
  const churn = new Churn(world, relay, options)
  await churn.prepare()
  return churn
}

interface Mapping {
  component: string
  sourceId: string
  destinationId: string
}

export async function mappingsOf({ database, organisationId }: World): Promise<Mapping[]> {
  const { rows } = await sql<Mapping>`
    select component, source_id as "sourceId", destination_id as "destinationId"
    from mappings_of_pairs where organisation_id = ${organisationId}`.execute(database)
  return rows
}

/** As mappings name it. */
export function idOf({ shownAs }: TableRules, row: Row): string {
  return shownAs?.(row) ?? String(row.uuid ?? row.id)
}

/** A member of a segment has no id of its own: the service names it by its segment and its profile. */
export function idIn(state: State, rules: TableRules, row: Row): string {
  if (rules.table !== 'segment_members') return idOf(rules, row)
  const uuidOf = (table: string, id: unknown) => state[table]?.find((one) => one.id === id)?.uuid
  return `${uuidOf('segments', row.segment_id)}/${uuidOf('shopper_profiles', row.shopper_profile_id)}`
}

/** Rows and their copies by the mappings of the service: source id to destination id, by table. Of sources that are gone as well. */
export async function knownPairs(
  { world, moments }: Pick<Churn, 'world' | 'moments'>,
  there: State,
): Promise<Map<string, Map<number, number>>> {
  const mappings = Map.groupBy(await mappingsOf(world), ({ component }) => component)
  const known = new Map<string, Map<number, number>>()
  for (const rules of tableRules) {
    const ids = (...states: State[]) =>
      new Map(
        states.flatMap((state) => (state[rules.table] ?? []).map((row) => [idIn(state, rules, row), row.id] as const)),
      )
    const [here, copies] = [ids(...moments), ids(there)]
    // Several answers of one customer go by one id: their names tell them apart.
    if ((there[rules.table] ?? []).length > copies.size) continue
    const pairs = new Map<number, number>()
    for (const { sourceId, destinationId } of mappings.get(rules.entity) ?? []) {
      const [one, other] = [here.get(sourceId), copies.get(destinationId)]
      if (one !== undefined && other !== undefined) pairs.set(one, other)
    }
    known.set(rules.table, pairs)
  }
  return known
}
