import { type Endpoint, runUndisturbed, undisturbed } from './endpoint-reads.ts'
import { everything, withDependents, withNamed } from './named-entities.ts'
import { type Case, likeForbidden } from './refused-endpoints.ts'

/** Files of the long form, about as long as each other, which workers run side by side: each has every sixth endpoint. */
export const shares = 6

/** They name nothing and nothing names them: two of them run beside what an endpoint concerns, and have to end as always. */
const witnesses = ['subscribers', 'channel-currencies', 'store-settings']

/** Entities that name no other. */
const independent = everything.filter((key) => withNamed([key]).length === 1)

/** Every endpoint that a run over everything reads, in one order for all shares. */
export async function allEndpoints(): Promise<Endpoint[]> {
  const { reads } = await undisturbed(everything)
  return inOrder(reads)
}

/** Read once more, by a run of its own. */
export async function allEndpointsAgain(): Promise<Endpoint[]> {
  const { reads } = await runUndisturbed(everything)
  return inOrder(reads)
}

const inOrder = (reads: Map<Endpoint, number>) => [...reads.keys()].sort()

/** One answer to every endpoint of the share, each in a run over what the endpoint concerns. */
export async function casesOf(share: number, answer: string): Promise<Case[]> {
  const cases: Case[] = []
  for (const endpoint of inShare(await allEndpoints(), share))
    cases.push({ endpoint, answer, ...(await concernedBy(endpoint, !likeForbidden.includes(answer))) })
  return cases
}

/** Every endpoint is in one share, as long as all shares find the same ones. */
export function inShare(endpoints: readonly Endpoint[], share: number): Endpoint[] {
  return endpoints.filter((_, at) => at % shares === share - 1)
}

const readers = new Map<Endpoint, string[]>()

/**
 * Those that read the endpoint, what depends on them if that matters, what all of these name, and two that have nothing to do with it.
 * What every run reads, whatever it is about, concerns those that name no other; what no entity reads by itself concerns all.
 */
async function concernedBy(endpoint: Endpoint, dependents: boolean): Promise<Pick<Case, 'entities' | 'readers'>> {
  const known = readers.get(endpoint) ?? (await readersOf(endpoint))
  readers.set(endpoint, known)
  const reading = known.length > 0 ? known : independent
  const touched = dependents && known.length > 0 ? withDependents(known) : new Set(reading)
  const beside = witnesses.filter((key) => !touched.has(key)).slice(0, 2)
  const entities = withNamed([...touched, ...beside])
  const { reads } = await undisturbed(entities)
  return { entities: reads.has(endpoint) ? entities : everything, readers: reading }
}

/** Entities with which a run reads the endpoint more often than over what they name, or over anything at all. */
async function readersOf(endpoint: Endpoint): Promise<string[]> {
  const timesRead = async (keys: readonly string[]) => (await undisturbed(keys)).reads.get(endpoint) ?? 0
  const always = Math.min(...(await Promise.all(independent.map((key) => timesRead([key])))))
  const found: string[] = []
  for (const key of everything) {
    const own = withNamed([key])
    // Price lists and customer groups name each other.
    const named = own.map((one) => withNamed([one])).filter((one) => one.length < own.length)
    const without = await Promise.all(named.map(timesRead))
    if ((await timesRead(own)) > Math.max(always, ...without)) found.push(key)
  }
  return found
}
