import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { seededRandom } from '../../../sandbox/store/random.ts'
import type { StoreClient } from '../../../src/bigcommerce/client.ts'
import type { Pass } from '../../../src/entities/core/pass.ts'
import { makeLikeTheSource } from '../../comparison/like-the-source.ts'
import { addCatalogueParts } from '../../comparison/more-catalogue.ts'
import { addModifiers } from '../../comparison/more-modifiers.ts'
import type { State } from '../../comparison/store-side.ts'
import { startWorld, type World } from '../../harness/world.ts'
import type { StoreName } from '../../harness/world-sandbox.ts'
import { requestControl } from '../../kills/request-control.ts'
import { clientOf } from '../churn/clients.ts'
import { type Dice, type Found, itemsOf, passesOf } from '../churn/people.ts'
import { addStorefront, firstPair, outletOf, outletPair } from '../two-storefronts.ts'
import { judgeRun, phases, type Settings } from './judge-run.ts'
import { actAmong, allDeedsOf } from './siblings.ts'

export interface EditsOptions {
  seed: number
  /** What the source is made of. */
  of?: 'tiny' | 'small'
  /** Each store has two storefronts, and some runs are between one of each. */
  storefronts?: boolean
  /** Two sources are copied, each to a storefront of its own. */
  twoSources?: boolean
  /** How often people work in both stores, and a run follows. */
  rounds?: number
  /** How much they do each time. */
  deeds?: number
  /** Processes of runs are killed, and runs paused and resumed, at random moments. */
  disturbed?: boolean
}

/** What is at the destination before the first copy of everything. */
const starts = ['empty', 'empty', 'by hand', 'in part'] as const
const strategies = ['skip', 'update', 'replace', 'update', 'replace'] as const

interface Told {
  seed: number
  disturbed: boolean
  pairs: object[]
  sources: readonly StoreName[]
}

/** Two stores that people edit between runs. What a run says and does has to agree with itself and with both stores. */
export class Edits {
  readonly world: World
  /** What was done, for a person who wants to see it happen again. */
  readonly log: string[] = []
  /** Of the source, whenever a run begins. */
  readonly moments: State[] = []
  readonly copied = new Set<StoreName>()
  private readonly clients: ReadonlyMap<StoreName, StoreClient>
  private readonly dice: Dice
  private passes: [string, Pass][] = []
  private number = 0
  readonly disturb: ((run: string) => Promise<void>) | undefined
  private readonly pairs: object[]
  private readonly sources: readonly StoreName[]

  constructor(world: World, { seed, disturbed, pairs, sources }: Told) {
    this.world = world
    this.pairs = pairs
    this.sources = sources
    if (disturbed) this.disturb = (run) => this.interrupt(run)
    this.clients = new Map([...sources, 'destination'].map((store) => [store, clientOf(world, store)]))
    const random = seededRandom(seed)
    this.dice = (below) => Math.floor(random() * below)
  }

  /** @returns whatever does not agree, one line each; empty when all is well. */
  async tell({ rounds = 2, deeds = 16 }: EditsOptions, start: (typeof starts)[number]): Promise<string[]> {
    await addModifiers(this.world)
    for (const source of this.sources) await addCatalogueParts(this.world, source)
    await makeLikeTheSource(this.world)
    this.passes = [...(await passesOf(this.clientOf('source')))].filter(([, pass]) => !pass.lookupOnly)
    if (start === 'by hand') await this.work(deeds, ['destination'])
    if (start === 'in part') {
      await this.run({ conflictStrategy: 'skip', ...this.part(1) })
      await this.work(deeds)
    }
    for (let round = 0; ; round++) {
      const settings = { conflictStrategy: this.oneOf(strategies), ...this.part(round === 0 ? 0 : this.dice(5)) }
      const wrong = await this.run(settings)
      if (wrong.length > 0 || round === rounds) return wrong
      await this.work(deeds)
    }
  }

  private async interrupt(run: string): Promise<void> {
    const { world } = this
    for (let times = 1 + this.dice(3); times > 0; times--) {
      await setTimeout(this.dice(5_000))
      const [pid] = await world.childPids()
      if (pid === undefined) continue
      if (this.dice(3) > 0) {
        this.log.push('its process is killed')
        await world.killChild()
      } else if ((await world.api('POST', `/v2/migrations/${run}/pause`)).status === 202) {
        this.log.push('it is paused')
        await world.finished(run, { status: 'paused' })
        await requestControl(world, run, 'resume')
      }
    }
  }

  private run(settings: Settings): Promise<string[]> {
    this.log.push(`run ${JSON.stringify(settings, (_key, value) => (value === phases ? 'all' : value))}`)
    return judgeRun(this, settings)
  }

  /** Of which part of the stores a run is: all, one storefront, some phases, some products. */
  private part(choice: number): object {
    const isOfPair = this.pairs.length > 0 && (this.sources.length > 1 || (choice !== 0 && this.dice(3) > 0))
    if (isOfPair) return { entities: phases, ...this.oneOf(this.pairs) }
    if (choice === 1) return { entities: phases.filter(() => this.dice(3) === 0) }
    if (choice !== 2) return { entities: phases }
    const { products = [], categories = [] } = this.moments.at(-1) ?? {}
    const some = (rows: { id: number }[]) => ({
      ids: rows.filter((_row, at) => at === 0 || this.dice(4) === 0).map(({ id }) => String(id)),
    })
    return { selection: { products: some(products), categories: some(categories) } }
  }

  private async work(
    deeds: number,
    sides: StoreName[] = ['source', this.sources.at(-1) ?? 'source', 'destination'],
  ): Promise<void> {
    for (let done = 0, tries = 0; done < deeds && tries < deeds * 10; tries++)
      if (await this.actOnce(this.oneOf(sides))) done += 1
  }

  private clientOf(store: StoreName): StoreClient {
    const client = this.clients.get(store)
    if (!client) throw new Error(`The world has no store ${store}.`)
    return client
  }

  private async actOnce(side: StoreName): Promise<boolean> {
    this.number += 1
    const [key, pass] = this.oneOf(this.passes)
    const found = (await itemsOf(this.clientOf(side), pass)).filter(({ component }) => component.key === key)
    const items = found.sort(byNames)
    const one = this.oneOf(items)
    const possible = one ? allDeedsOf(one) : []
    if (!one || possible.length === 0) return false
    const deed = this.oneOf(possible)
    const what = await actAmong(this.clientOf(side), deed, one, items, this.dice, `e${this.number}`)
    if (what !== undefined) this.log.push(`${side}: ${deed} ${what}`)
    return what !== undefined
  }

  private oneOf<One>(list: readonly One[]): One {
    // The caller looks at what comes of an empty list.
    return list[this.dice(list.length)] as One
  }

  async stop(): Promise<void> {
    await Promise.all([...this.clients.values()].map((client) => client.close()))
    await this.world.stop()
  }
}

/** Ids of copies differ from run to run, as their order does. */
function byNames(one: Found, other: Found): number {
  const names = ({ draft, parent }: Found) =>
    `${parent?.name} ${draft.name ?? draft.keys[0]} ${draft.sku} ${JSON.stringify(draft.compare)}`
  return names(one) < names(other) ? -1 : 1
}

/** The storefront of each source with its own at the destination. */
async function pairsOf(world: World): Promise<object[]> {
  const outlet = await outletOf(world, 'destination')
  return [firstPair, { source: 'second', sourceStorefront: '1', destStorefront: String(outlet) }]
}

/** The kept seeds, or the one that STOREFERRY_SEED names: a story that failed happens again by its seed. */
export function seedsToTell(...kept: number[]): number[] {
  const { STOREFERRY_SEED: only } = process.env
  return only === undefined ? kept : [Number(only)]
}

/** Tells one story. @returns what was done, and whatever does not agree. */
export async function tellEdits(options: EditsOptions): Promise<{ log: string[]; wrong: string[] }> {
  const { seed, disturbed = false, storefronts = false, twoSources = false } = options
  const of = `${options.of ?? 'tiny'}${storefronts ? '-two-storefronts' : ''}` as const
  const start = starts[seed % starts.length] ?? 'empty'
  const seeds = {
    ...{ source: of, second: of },
    destination: start !== 'by hand' ? 'empty' : twoSources ? 'tiny-two-storefronts' : of,
  } as const
  const switches = { destination: { order_stock: 'cut' } }
  const surroundings = disturbed ? { separateHost: true, requestTimeoutSeconds: 4 } : { requestTimeoutSeconds: 30 }
  const moreStores = twoSources ? ['second'] : []
  const world = await startWorld({ seeds, switches, ...surroundings, entities: phases, moreStores })
  if ((storefronts || twoSources) && start !== 'by hand') await addStorefront(world)
  const pairs = storefronts ? [firstPair, await outletPair(world)] : twoSources ? await pairsOf(world) : []
  const edits = new Edits(world, { seed, disturbed, pairs, sources: ['source', ...moreStores] })
  onTestFinished(() => edits.stop())
  edits.log.push(`STOREFERRY_SEED=${seed}, ${of}, destination ${start}`)
  const wrong = await edits.tell(options, start).catch((cause: unknown) => {
    throw new Error(edits.log.join('\n'), { cause })
  })
  return { log: edits.log, wrong }
}
