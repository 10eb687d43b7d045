import { expect } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import type { FaultWish } from '../harness/world-sandbox.ts'
import { counted } from './counted.ts'
import { type Endpoint, type Figures, pathOf, requestOf, sideOf, undisturbed } from './endpoint-reads.ts'
import { phaseOf, withDependents } from './named-entities.ts'

/** What a store may answer instead of a list. */
export const answers: Record<string, Omit<FaultWish, 'path' | 'method'>> = {
  '403': { kind: 'error_before_applying', status: 403, times: null },
  '404': { kind: 'error_before_applying', status: 404, times: null },
  '410': { kind: 'error_before_applying', status: 410, times: null },
  '422': { kind: 'error_before_applying', status: 422, times: null },
  // Each further one doubles the wait, which begins with a second.
  '429 without headers': { kind: 'overloaded', times: 3 },
  // One more than the usual tries, which take three quarters of a minute.
  '500 for a minute': { kind: 'error_before_applying', status: 500, times: 6 },
  HTML: { kind: 'html_page', times: null },
  'cut in the middle': { kind: 'truncated_body', times: null },
  'rows reordered': { kind: 'rows_reordered', times: null },
  'a row missing': { kind: 'row_missing', times: null },
  'ids as text': { kind: 'ids_as_text', times: null },
}

/** To what depends on the endpoint, these are the same as a 403: the list was refused. So only those that read it run. */
export const likeForbidden: readonly string[] = ['410', '422', 'HTML', 'cut in the middle']

/** One endpoint that gives one wrong answer in a run over some entities. */
export interface Case {
  endpoint: Endpoint
  answer: string
  entities: readonly string[]
  /** Those that read it. */
  readers: readonly string[]
}

/** Tries all cases, prints how each ended, and expects all of them to end well. */
export async function expectAllToEndWell(cases: readonly Case[]): Promise<void> {
  const table: string[] = []
  const wrong: string[] = []
  for (const one of cases) {
    try {
      table.push(await inAWorld((world) => story(world, one)))
    } catch (error) {
      // The others are told, too.
      wrong.push(error instanceof Error ? error.message : String(error))
    }
  }
  console.log(table.join('\n'))
  expect(wrong).toEqual([])
  expect(table).toHaveLength(cases.length)
}

/** One world at a time: hundreds of stores would fill the sandbox. */
async function inAWorld(tell: (world: World) => Promise<string>): Promise<string> {
  const world = await startWorld({ skipRetryPauses: true })
  try {
    return await tell(world)
  } finally {
    await world.stop()
  }
}

/**
 * The run ends by itself, names the endpoint if it could not do without it, and other phases end with the figures of an undisturbed run
 * over the same entities. @returns a line that says how it ended
 */
async function story(world: World, { endpoint, answer, entities: keys, readers }: Case): Promise<string> {
  const path = pathOf(endpoint)
  const called = `${endpoint}: ${answer}`
  await world.fault(sideOf(endpoint), { kind: 'slow', ...answers[answer], method: 'GET', path: `^${path}$` })
  const run = await world.complete(requestOf(keys))
  const names = new RegExp(`^${path}$`)
  const issues = await world.issues(run.requestId)
  const failures = issues.filter(({ severity }) => severity === 'failure')
  const open = failures.filter(({ state }) => state === 'open')
  expect(run.status, called).toBe(open.length > 0 ? 'partial_completed' : 'completed')
  // What was refused is named, whatever else fails for it. A row that no answer shows is as good as deleted: the items that need it, or
  // that are copied because it seems to be missing, say so.
  const naming = failures.filter((one) => names.test(one.platform?.path ?? '') || one.message.includes(path))
  const [first] = open.filter(({ item }) => answer !== 'a row missing' || item.sourceId === '')
  if (first) expect(naming.length, `${called}: ${first.code} ${first.message}`).toBeGreaterThan(0)
  const touched = withDependents([
    ...failures.map(({ phase }) => phase),
    ...(looksLikeNothing(path, answer) ? readers : []),
    // A page whose theme file is gone has the same answer, and a warning says so.
    ...issues.filter(({ message }) => message.includes('its content was left out')).map(({ phase }) => phase),
  ])
  const others = (figures: Figures) =>
    Object.entries(figures).filter(([component]) => !touched.has(phaseOf(component) ?? ''))
  const { figures } = await undisturbed(keys)
  expect(others(await counted(world, run.requestId)), called).toEqual(others(figures))
  const refused = new Set(failures.map(({ phase, code, state }) => `${phase} ${code} ${state}`))
  return `${called} -> ${run.status}; ${[...refused].join(', ') || 'nothing refused'}`
}

/**
 * Whether a store that has nothing there answers the same: a list that is shorter, 404 for a part that an item does not have, and for
 * the content of a page that the theme has no file of. No run can tell these apart.
 */
export function looksLikeNothing(path: string, answer: string): boolean {
  if (answer === 'a row missing') return true
  if (path === '/v3/content/page-widgets') return answer === '404' || answer === '422'
  return answer === '404' && path.includes('[^/]+')
}
