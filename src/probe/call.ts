import type { FormFile } from '../bigcommerce/form.ts'

/**
 * Every name, address and code that the probe writes begins with this, so that a later start recognises what an earlier
 * one left.
 */
export const prefix = 'sfprobe-'

/** An id that no store assigns. Writes may name it, to see how a store answers about an unknown item. */
export const unknownId = 2_000_000_123

/** Becomes a text with the prefix; different names give different texts. */
export class Mark {
  readonly name: string
  readonly before: string
  readonly after: string

  constructor(name: string, before: string, after: string) {
    this.name = name
    this.before = before
    this.after = after
  }
}

export const mark = (name: string, before = '', after = ''): Mark => new Mark(name, before, after)
export const email = (name: string): Mark => mark(name, '', '@example.com')
export const address = (name: string): Mark => mark(name, '/', '/')

/** Becomes a value from an earlier answer, such as the id of a created item. */
export class Ref {
  readonly name: string
  readonly asText: boolean

  constructor(name: string, asText: boolean) {
    this.name = name
    this.asText = asText
  }
}

export const ref = (name: string): Ref => new Ref(name, false)
/** The same as a string. */
export const text = (name: string): Ref => new Ref(name, true)

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One call as data. Bodies and queries may hold `Mark` and `Ref`; in the path, `{name}` means `ref(name)`. */
export interface ProbeCall {
  method: Method
  path: string
  query?: Record<string, unknown>
  body?: unknown
  form?: FormFile
  /**
   * Values for later calls by name: their paths in the answer, such as `id` or `variants.0.id`; `''` means all of it.
   */
  finds?: Record<string, string>
}

/** The answer to one call of a step. */
export interface StepAnswer {
  httpStatus: number
  headers: Record<string, string>
  body: unknown
}

/** Whether these answers, one for each call of the step, match what a source says. */
export type Judge = (answers: readonly StepAnswer[]) => boolean

/** One behaviour: a question about how the store answers, and the calls that answer the question. */
export interface Step {
  /** The name of the behaviour in reports, such as `brands: again`. */
  key: string
  question: string
  /** The last call answers the question; the earlier ones prepare it. */
  calls: ProbeCall[]
  /** What must exist in addition to what the calls refer to; otherwise the question makes no sense. */
  needs?: readonly string[]
  /** Whether the store answers as the published files say. */
  documented?: Judge
  /** Whether the store answers as real stores were seen to. */
  seen?: Judge
  /** Part of the quick probe. */
  quick: boolean
  /** With a token that the store does not know; or again and again, until the quota is used up. */
  sent?: 'unauthorised' | 'rushed'
}

/** A call in which marks and references were replaced by values. */
export interface ReadyCall {
  method: Method
  path: string
  query: Record<string, string>
  body: unknown
  form: FormFile | undefined
}

/** @returns null when the call refers to a value that no answer has given. */
export function ready(call: ProbeCall, run: string, values: ReadonlyMap<string, unknown>): ReadyCall | null {
  if (namesOf(call).some((name) => values.get(name) === undefined)) return null
  return filledWith(call, run, (name) => values.get(name))
}

/** Replaces the marks and references in a call by values. */
export function filledWith(call: ProbeCall, run: string, valueFor: (name: string) => unknown): ReadyCall {
  const fill = (value: unknown) => filled(value, run, valueFor)
  const query = Object.entries(call.query ?? {}).map(([name, value]) => [name, String(fill(value))])
  return {
    method: call.method,
    path: call.path.replace(namesInPath, (_all, name) => String(valueFor(name))),
    query: Object.fromEntries(query),
    body: fill(call.body),
    form: call.form,
  }
}

const namesInPath = /\{([^}]+)\}/g

/** The names of the references in a call. */
export function namesOf({ path, query, body }: ProbeCall): string[] {
  return [...[...path.matchAll(namesInPath)].map(([, name = '']) => name), ...refsIn(query), ...refsIn(body)]
}

function refsIn(value: unknown): string[] {
  if (value instanceof Ref) return [value.name]
  return isBranch(value) ? Object.values(value).flatMap(refsIn) : []
}

function filled(value: unknown, run: string, valueFor: (name: string) => unknown): unknown {
  if (value instanceof Ref) return value.asText ? String(valueFor(value.name)) : valueFor(value.name)
  if (value instanceof Mark) return `${value.before}${prefix}${run}-${value.name}${value.after}`
  if (Array.isArray(value)) return value.map((one) => filled(one, run, valueFor))
  if (!isBranch(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, run, valueFor)]))
}

/** A copy with different names in its marks, so that it creates another item. */
export function renamed<T>(value: T, suffix: string): T {
  // A copy has the shape of the original.
  return other(value, suffix) as T
}

function other(value: unknown, suffix: string): unknown {
  if (value instanceof Mark) return mark(`${value.name}-${suffix}`, value.before, value.after)
  if (value instanceof Ref || !isBranch(value)) return value
  if (Array.isArray(value)) return value.map((one) => other(one, suffix))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, other(one, suffix)]))
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
