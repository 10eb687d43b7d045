import type { RecordedAnswer, Shape } from './recorded-answer.ts'

export interface GivenAnswer {
  status: number
  /** Header names in lower case. */
  headers: readonly string[]
  /** Undefined if there is no body. */
  body: unknown
}

/** The shape of a body: its key paths, with the types of the values found there. */
export function shapeOf(body: unknown): Shape {
  const types = new Map<string, Set<string>>()
  const walk = (value: unknown, at: string): void => {
    types.set(at, (types.get(at) ?? new Set()).add(typeOf(value)))
    if (Array.isArray(value)) for (const item of value) walk(item, `${at}[]`)
    else if (typeof value === 'object' && value !== null)
      for (const [key, child] of Object.entries(value)) walk(child, at === '' ? key : `${at}.${key}`)
  }
  walk(body, '')
  return Object.fromEntries([...types].sort().map(([at, found]) => [at, [...found].sort().join('|')]))
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'string' ? 'text' : typeof value
}

/** How an answer differs from the recorded one; empty if it does not. */
export function differences(recorded: RecordedAnswer['response'], given: GivenAnswer): string[] {
  const headers = (recorded.headers ?? []).filter((name) => !given.headers.includes(name))
  return [
    ...(recorded.status === given.status ? [] : [`status ${given.status} instead of ${recorded.status}`]),
    ...headers.map((name) => `no header \`${name}\``),
    ...differencesOfBodies(recorded, given.body),
    ...Object.entries(recorded.values ?? {}).flatMap(([at, value]) => {
      const there = valueAt(given.body, at)
      return there === value ? [] : [`\`${at}\` is ${JSON.stringify(there)} instead of ${JSON.stringify(value)}`]
    }),
  ]
}

function differencesOfBodies({ body, whole }: RecordedAnswer['response'], given: unknown): string[] {
  if (body === null) return given === undefined ? [] : ['a body instead of none']
  if (given === undefined) return ['no body']
  const there = shapeOf(given)
  const keys = Object.keys(body)
  const missing = topmost(keys.filter((key) => there[key] === undefined))
  const others = whole ? topmost(Object.keys(there).filter((key) => body[key] === undefined)) : []
  return [
    ...missing.map((key) => `no \`${key}\``),
    ...others.map((key) => `also \`${key}\``),
    ...keys.flatMap((key) => differenceOfTypes(key, body[key], there[key])),
  ]
}

/** Drops keys below another one in the list: naming the topmost is enough. */
function topmost(keys: string[]): string[] {
  return keys.filter((key) => !keys.some((other) => key !== other && isBelow(key, other)))
}

const isBelow = (key: string, other: string) => key.startsWith(`${other}.`) || key.startsWith(`${other}[]`)

/** The sandbox may return fewer types than were recorded, but no others. */
function differenceOfTypes(key: string, seen: string | undefined, there: string | undefined): string[] {
  if (seen === undefined || there === undefined) return []
  const other = there.split('|').filter((type) => !seen.split('|').includes(type))
  return other.length === 0 ? [] : [`\`${key}\` is ${other.join('|')} instead of ${seen}`]
}

/** The value at a key path, in the first row of each list. */
function valueAt(body: unknown, path: string): unknown {
  let value = body
  for (const key of path.replaceAll('[]', '.0').split('.').filter(Boolean))
    value = (value as Record<string, unknown> | undefined)?.[key]
  return value
}
