import { entities } from '../../src/entities/registry.ts'
import { startWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { type Counted, counted } from './counted.ts'

/** An endpoint of one store, such as `source /v3/customers/[^/]+/consent`: its address is a pattern, with any id where one is. */
export type Endpoint = `${Side} ${string}`

/** The counter rows of a run, by component. */
export type Figures = Record<string, Partial<Counted>>

/** A run over two stores that answer as they should. */
interface Undisturbed {
  figures: Figures
  /** How often it read each endpoint. */
  reads: Map<Endpoint, number>
}

const optedInByWish = new Set(entities.flatMap(({ key, optIn }) => (optIn ? [key] : [])))
const sides: readonly Side[] = ['source', 'destination']
const runs = new Map<string, Promise<Undisturbed>>()

export const sideOf = (endpoint: Endpoint): Side => (endpoint.startsWith('source') ? 'source' : 'destination')

export const pathOf = (endpoint: Endpoint): string => endpoint.slice(endpoint.indexOf(' ') + 1)

/** A run over these entities, with all that can be asked for. */
export function requestOf(keys: readonly string[]): object {
  const themes = keys.some((key) => optedInByWish.has(key)) && { themes: 'activate' }
  return { entities: keys, customerConsent: true, ...themes }
}

/** The undisturbed run over these entities: one per worker. */
export function undisturbed(keys: readonly string[]): Promise<Undisturbed> {
  const known = runs.get(keys.join()) ?? runUndisturbed(keys)
  runs.set(keys.join(), known)
  return known
}

export async function runUndisturbed(keys: readonly string[]): Promise<Undisturbed> {
  const world = await startWorld({})
  try {
    const { requestId, timestamps } = await world.complete(requestOf(keys))
    const read = await Promise.all(sides.map((side) => endpointsRead(world, side, `${timestamps.started}`)))
    const counts = Map.groupBy(read.flat(), (endpoint) => endpoint)
    const reads = [...counts].map(([endpoint, { length }]) => [endpoint, length] as const)
    return { figures: await counted(world, requestId), reads: new Map(reads) }
  } finally {
    await world.stop()
  }
}

/** By the run itself; making a world reads its stores, too. */
async function endpointsRead(world: World, side: Side, since: string): Promise<Endpoint[]> {
  const requests = (await world.requests(side, 'GET')).filter(({ at, path }) => at >= since && path !== '/v2/store')
  return requests.map(({ path }): Endpoint => `${side} ${patternOf(path)}`)
}

function patternOf(path: string): string {
  return path.replace(/\/(\d+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=\/|$)/g, '/[^/]+')
}
