import { beforeAll, expect, test } from 'vitest'
import { entities, phasesNamedBy } from '../../src/entities/registry.ts'
import { aWorld, startWorld } from '../harness/world.ts'
import type { FaultWish, Side } from '../harness/world-sandbox.ts'
import { type Counted, counted } from './counted.ts'

const long = process.env.STOREFERRY_LONG === '1'

/** What a store may answer instead of a list. */
const answers: Record<string, Omit<FaultWish, 'path' | 'method'>> = {
  '403': { kind: 'error_before_applying', status: 403, times: null },
  '404': { kind: 'error_before_applying', status: 404, times: null },
  '410': { kind: 'error_before_applying', status: 410, times: null },
  '422': { kind: 'error_before_applying', status: 422, times: null },
  '429 without headers': { kind: 'overloaded', times: 5 },
  // One more than the usual tries, which take three quarters of a minute.
  '500 for a minute': { kind: 'error_before_applying', status: 500, times: 6 },
  HTML: { kind: 'html_page', times: null },
  'cut in the middle': { kind: 'truncated_body', times: null },
  'rows reordered': { kind: 'rows_reordered', times: null },
  'a row missing': { kind: 'row_missing', times: null },
  'ids as text': { kind: 'ids_as_text', times: null },
}

interface Case {
  side: Side
  endpoint: string
  answer: string
}

type Figures = Record<string, Partial<Counted>>

let undisturbed: Figures
let cases: Case[]

/** An address as a pattern: with any id where one is. */
function endpointOf(path: string): string {
  return path.replace(/\/(\d+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=\/|$)/g, '/[^/]+')
}

beforeAll(async () => {
  const world = await startWorld({})
  try {
    const { requestId, timestamps } = await world.complete()
    undisturbed = await counted(world, requestId)
    const read = async (side: Side) =>
      (await world.requests(side, 'GET'))
        .filter(({ at, path }) => at >= `${timestamps.started}` && path !== '/v2/store')
        .map(({ path }) => endpointOf(path))
    const endpoints = await Promise.all(
      (['source', 'destination'] as const).map(async (side) =>
        [...new Set(await read(side))].sort().map((endpoint) => ({ side, endpoint })),
      ),
    )
    cases = endpoints.flat().flatMap((one) => Object.keys(answers).map((answer) => ({ ...one, answer })))
  } finally {
    await world.stop()
  }
}, 120_000)

/** Some of all, spread evenly; STOREFERRY_SEED takes others. */
function drawn(count: number): Case[] {
  const seed = Number(process.env.STOREFERRY_SEED ?? 7)
  const step = Math.floor(cases.length / count)
  return Array.from({ length: count }, (_, at) => cases[(seed + at * step) % cases.length]).filter(
    (one) => one !== undefined,
  )
}

/** Phases that may differ: these, and those that name one of them. */
function touchedBy(phases: Iterable<string>): Set<string> {
  const touched = new Set(phases)
  for (const entity of entities) {
    const owners = entity.passes.map(({ below }) => phaseOf(below))
    if ([...phasesNamedBy(entity), ...owners].some((key) => touched.has(key ?? ''))) touched.add(entity.key)
  }
  return touched
}

/** Phases of a v2 list, which says nowhere how many rows it should have. */
function phasesWithoutTotal(endpoint: string): string[] {
  const names = new RegExp(`^${endpoint}$`)
  return entities
    .filter(({ passes }) => passes.some(({ source }) => source.path.startsWith('/v2/') && names.test(source.path)))
    .map(({ key }) => key)
}

function phaseOf(component: string | undefined): string | undefined {
  return entities.find(({ components }) => components.some(({ key }) => key === component))?.key
}

async function story({ side, endpoint, answer }: Case): Promise<string> {
  const world = await aWorld({ skipRetryPauses: true })
  await world.fault(side, {
    ...answers[answer],
    kind: answers[answer]?.kind ?? 'slow',
    method: 'GET',
    path: `^${endpoint}$`,
  })
  const run = await world.complete()
  const called = `${side} ${endpoint}: ${answer}`
  const failures = (await world.issues(run.requestId)).filter(({ severity }) => severity === 'failure')
  const open = failures.filter(({ state }) => state === 'open')
  expect(run.status, called).toBe(open.length > 0 ? 'partial_completed' : 'completed')
  const names = new RegExp(`^${endpoint}$`)
  // What was refused is named, whatever else fails for it.
  const naming = failures.filter(
    ({ platform, message }) => names.test(platform?.path ?? '') || message.includes(endpoint),
  )
  const [first] = open
  if (first) expect(naming.length, `${called}: ${first.code} ${first.message}`).toBeGreaterThan(0)
  const touched = touchedBy([
    ...failures.map(({ phase }) => phase),
    ...(answer === 'a row missing' ? phasesWithoutTotal(endpoint) : []),
  ])
  const others = (figures: Figures) =>
    Object.entries(figures).filter(([component]) => !touched.has(phaseOf(component) ?? ''))
  expect(others(await counted(world, run.requestId)), called).toEqual(others(undisturbed))
  const refused = new Set(failures.map(({ phase, code, state }) => `${phase} ${code} ${state}`))
  return `${called} -> ${run.status}; ${[...refused].join(', ') || 'nothing refused'}`
}

test(
  `G7: whatever one endpoint of a store answers, ${long ? 'every endpoint and answer' : 'for some of all endpoints and answers'}: no run fails, the endpoint is named, and other phases are as in an undisturbed run`,
  async () => {
    const some = long ? cases : drawn(5)
    const table: string[] = []
    const wrong: string[] = []
    for (const one of some) {
      try {
        table.push(await story(one))
      } catch (error) {
        // The others are told, too.
        wrong.push(error instanceof Error ? error.message : String(error))
      }
    }
    console.log(table.join('\n'))
    expect(wrong).toEqual([])
    expect(table).toHaveLength(some.length)
  },
  long ? 6 * 3_600_000 : 300_000,
)
