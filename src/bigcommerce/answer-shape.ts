import { asRecord, titleOf } from './errors.ts'
import type { Query } from './query.ts'

/** One call with its answer. */
export interface AnsweredCall {
  method: string
  path: string
  query: Query
  /** The body that was sent; undefined without one, or for a form. */
  sent: unknown
  httpStatus: number
  headers: Record<string, string>
  body: unknown
}

/** The form of a call and its answer, without any value from the store. */
export interface AnswerShape {
  method: string
  path: string
  /** Names of the query parameters. */
  parameters: string[]
  /** Types by key path, such as `text` for `products[].name_customer`. */
  sent: Record<string, string>
  httpStatus: number
  headers: string[]
  /** The title of a refusal, without what it repeats from the call. */
  title: string
  body: Record<string, string>
}

/** Keys that are not field names: ids, positions and other values that stores use as keys. */
const isValue = (key: string) => !/^[A-Za-z_][A-Za-z_:]*$/.test(key)

/** `/v3/catalog/products/{id}/images` for any product. */
export function pathTemplate(path: string): string {
  return path.replace(/(?<=\/)(?!v[23](?:\/|$))[^/]*[^a-z_/-][^/]*/g, '{id}')
}

export function shapeOf({ method, path, query, sent, httpStatus, headers, body }: AnsweredCall): AnswerShape {
  return {
    method,
    path: pathTemplate(path),
    parameters: Object.keys(query)
      .filter((name) => query[name] !== undefined)
      .sort(),
    sent: typesIn(sent),
    httpStatus,
    headers: Object.keys(headers).sort(),
    title: titleShape({ path, query, sent, httpStatus, body }),
    body: typesIn(body),
  }
}

/** The title of a refusal without what it repeats from the call; '' for any other answer. */
export function titleShape({ path, query, sent, httpStatus, body }: Omit<AnsweredCall, 'method' | 'headers'>): string {
  return httpStatus < 300 ? '' : withoutValues(titleOf(body), sent, path, query)
}

/** Rows of a list may have different types, such as `text|null`. `keyOf` returns the part of a field's name to keep. */
export function typesIn(value: unknown, keyOf = fieldOrTemplate): Record<string, string> {
  const found = new Map<string, Set<string>>()
  const walk = (one: unknown, at: string): void => {
    const type = typeOf(one)
    found.set(at, (found.get(at) ?? new Set()).add(type))
    if (Array.isArray(one)) for (const item of one) walk(item, `${at}[]`)
    else if (type === 'object')
      for (const [key, child] of Object.entries(asRecord(one))) walk(child, `${at === '' ? '' : `${at}.`}${keyOf(key)}`)
  }
  if (value !== undefined) walk(value, '')
  return Object.fromEntries([...found].sort().map(([at, types]) => [at, [...types].sort().join('|')]))
}

function fieldOrTemplate(key: string): string {
  return isValue(key) ? keyTemplate(key) : key
}

/** In a batch, the platform's keys are `<index>.<field>`. */
function keyTemplate(key: string): string {
  const parts = key.split('.').map((part) => (/^\d+$/.test(part) ? '{n}' : isValue(part) ? '{key}' : part))
  return parts.join('.')
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'string' ? (value === '' ? 'empty text' : 'text') : typeof value
}

/** Removes what a title may repeat from the call: words, numbers, addresses and anything in double quotes. */
function withoutValues(title: string, sent: unknown, path: string, query: Query): string {
  const values = wordsIn([sent, path.split('/').slice(3), Object.values(query)])
  return title
    .slice(0, 300)
    .replace(/"[^"]*"/g, '"..."')
    .replace(/\S*[@\d]\S*/g, '...')
    .replace(/[\p{L}]{3,}/gu, (word) => (values.has(word.toLowerCase()) ? '...' : word))
}

function wordsIn(value: unknown): Set<string> {
  const words = new Set<string>()
  const walk = (one: unknown): void => {
    if (typeof one === 'string') for (const [word] of one.matchAll(/[\p{L}]{3,}/gu)) words.add(word.toLowerCase())
    else if (typeof one === 'object' && one !== null) Object.values(one).forEach(walk)
  }
  walk(value)
  return words
}
