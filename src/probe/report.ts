import { type AnsweredCall, titleShape, typesIn } from '../bigcommerce/answer-shape.ts'
import { allSteps } from './all-steps.ts'
import { filledWith, namesOf, type ProbeCall, type Step } from './call.ts'
import type { Observation } from './try-steps.ts'

interface ReportedCall {
  method: string
  path: string
  body?: unknown
}

/**
 * One answer of a store in the format of the answers that the sandbox is compared with (`sandbox/recorded`): its shape,
 * and the probe's own calls that lead to it. `{name.data.id}` means a value from the earlier answer with that name.
 */
export interface ReportedAnswer {
  name: string
  shows: string
  source: { probe: string }
  date: string
  class: 'recorded'
  given?: (ReportedCall & { as?: string })[]
  request: ReportedCall
  response: { status: number; headers: string[]; body: Record<string, string> | null; whole: true }
}

/** Replaces the number of a run. */
const anyRun = 'report'

/**
 * The report contains nothing from the store except statuses, header names, field names with their types, and titles of
 * refusals.
 */
export function reportOf(
  observations: readonly Observation[],
  { version, date }: { version: string; date: string },
): ReportedAnswer[] {
  return observations.flatMap(({ step, answers, verdict }) => {
    const answer = answers.at(-1)
    const request = step.calls.at(-1)
    if (answer === undefined || request === undefined) return []
    const given = callsBefore(step)
    return [
      {
        name: slug(step.key),
        shows: `${step.question} HTTP ${answer.httpStatus}${titleOf(answer)}, ${verdict}.`,
        source: { probe: version },
        date,
        class: 'recorded' as const,
        ...(given.length > 0 && { given: given.map(givenCall) }),
        request: reported(request),
        response: {
          status: answer.httpStatus,
          headers: Object.keys(answer.headers).sort(),
          body: answer.body === undefined ? null : shapeOfBody(answer.body),
          whole: true as const,
        },
      },
    ]
  })
}

function titleOf(answer: AnsweredCall): string {
  const title = titleShape(answer)
  return title === '' ? '' : ` "${title}"`
}

export const slug = (key: string) =>
  key
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** The keys of refusals keep the positions of rows, because they are those of the probe's own rows. */
export function shapeOfBody(body: unknown): Record<string, string> {
  const kept = (key: string) => /^(\d{1,3}\.)?[A-Za-z_][A-Za-z_:.]*$/.test(key)
  const types = typesIn(body, (key) => (kept(key) ? key : '{key}'))
  return Object.fromEntries(Object.entries(types).map(([at, type]) => [at, withoutEmpty(type)]))
}

/** Whether a text is empty is a value, so the type does not show it. */
function withoutEmpty(type: string): string {
  return [...new Set(type.split('|').map((one) => (one === 'empty text' ? 'text' : one)))].sort().join('|')
}

const finders = new Map(
  allSteps.flatMap(({ calls }) => calls.flatMap((call) => Object.keys(call.finds ?? {}).map((name) => [name, call]))),
)

/** The calls that create what the last call of the step needs, in order. */
function callsBefore(step: Step): ProbeCall[] {
  const before: ProbeCall[] = []
  const require = (names: readonly string[]) => {
    for (const name of names) {
      const finder = finders.get(name)
      if (finder && !before.includes(finder)) add(finder)
    }
  }
  const add = (call: ProbeCall) => {
    require(namesOf(call))
    if (!before.includes(call)) before.push(call)
  }
  require(step.needs ?? [])
  for (const call of step.calls.slice(0, -1)) add(call)
  const request = step.calls.at(-1)
  if (request) require(namesOf(request).filter((name) => finders.get(name) !== request))
  return before
}

/** The name by which other calls refer to this call's answer: the first of the names it finds. */
function nameOfCall(call: ProbeCall): string | undefined {
  return Object.keys(call.finds ?? {})[0]?.replace(/\W+/g, '_')
}

function givenCall(call: ProbeCall): ReportedCall & { as?: string } {
  const as = nameOfCall(call)
  return { ...reported(call), ...(as !== undefined && { as }) }
}

function reported(call: ProbeCall): ReportedCall {
  const { method, path, query, body } = filledWith(call, anyRun, placeholder)
  const search = new URLSearchParams(query).toString().replace(/%7B([\w.]+)%7D/g, '{$1}')
  return { method, path: search === '' ? path : `${path}?${search}`, ...(body !== undefined && { body }) }
}

/** The path of the value in the answer; version 3 has it in `data`. */
function placeholder(name: string): string {
  const finder = finders.get(name)
  const position = finder?.finds?.[name] ?? ''
  const envelope = finder?.path.startsWith('/v3/') ? 'data' : ''
  const at = [finder && nameOfCall(finder), envelope, position].filter(Boolean).join('.')
  return `{${at}}`
}
