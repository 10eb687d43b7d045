import { appendFile, readFile } from 'node:fs/promises'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** File to which every test file adds how many answers it held to the description. */
    answerCounts: string
  }
}

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, DescribedAnswer> }>>
  components: object
}
interface DescribedAnswer {
  content?: Record<string, { schema: object }>
  headers?: Record<string, object>
}

export interface GivenAnswer {
  method: string
  /** Path and query as they were sent. */
  url: string
  httpStatus: number
  /** By lower-case name. */
  headers: Record<string, unknown>
  body: string
}

/** Headers that programs act on. */
const toldHeaders = ['location', 'retry-after', 'x-read-source']

const description = new URL('../../openapi.json', import.meta.url)
let reading: Promise<Described> | undefined
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
const validators = new Map<string, ValidateFunction>()
let held = 0

/**
 * Holds one answer of the API to openapi.json: a described status, its media type, its headers, and a body of its shape. What the description
 * does not name, pages and health among it, is let pass, but below the API's own prefixes everything else is an error body.
 *
 * @throws Error that says which answer is not as described, and how.
 */
export async function holdToDescription(answer: GivenAnswer): Promise<void> {
  reading ??= readFile(description, 'utf8').then((text) => JSON.parse(text))
  const described = await reading
  const path = answer.url.replace(/\?.*$/s, '')
  if (!/^\/(v2|admin\/api)(\/|$)/.test(path) || path === '/v2/openapi.json') return
  const shape = findAnswer(described, answer, path)
  held += 1
  const known = Object.keys(shape.headers ?? {}).map((name) => name.toLowerCase())
  const untold = toldHeaders.filter((name) => answer.headers[name] !== undefined && !known.includes(name))
  if (untold.length > 0) throw notAsDescribed(answer, `has headers that are not described: ${untold}`)
  if (answer.method === 'HEAD') return
  const [type] = Object.keys(shape.content ?? {})
  if (type !== undefined && type !== 'application/json') return expectType(answer, type)
  const schema = shape.content?.['application/json']?.schema
  if (schema === undefined) return expectEmpty(answer)
  if (!/^application\/json\b/.test(typeOf(answer))) throw notAsDescribed(answer, 'is no JSON')
  const validate = validatorOf(described, schema)
  if (!validate(JSON.parse(answer.body))) throw notAsDescribed(answer, ajv.errorsText(validate.errors))
}

/** How many answers of this file were held to the description, for the sum at the end of the run. A benchmark has no sum. */
export async function reportHeld(): Promise<void> {
  if (process.env.VITEST === undefined) return
  await appendFile(inject('answerCounts'), `${held}\n`)
  held = 0
}

function findAnswer({ paths }: Described, answer: GivenAnswer, path: string): DescribedAnswer {
  const named = Object.entries(paths).filter(([template]) => fits(template, path))
  // A literal part before a placeholder, as the router has it.
  const [, methods] = named.sort(([one], [other]) => one.split('{').length - other.split('{').length)[0] ?? []
  const responses = methods?.[answer.method.toLowerCase()]?.responses
  const group = `${String(answer.httpStatus)[0]}XX`
  if (!responses) return refusalOutside(answer)
  const shape = responses[answer.httpStatus] ?? responses[group]
  if (shape) return shape
  throw notAsDescribed(answer, 'has a status that is not described')
}

/** An address or method that is not described is refused, in the one shape of every refusal. */
function refusalOutside(answer: GivenAnswer): DescribedAnswer {
  if (answer.httpStatus < 400) throw notAsDescribed(answer, 'is not described at all')
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  // Without a description, no header can be described.
  return { content, headers: Object.fromEntries(toldHeaders.map((name) => [name, {}])) }
}

function fits(template: string, path: string): boolean {
  const parts = template.split('/')
  const given = path.split('/')
  return parts.length === given.length && parts.every((part, at) => part.startsWith('{') || part === given[at])
}

function validatorOf({ components }: Described, schema: object): ValidateFunction {
  const key = JSON.stringify(schema)
  const known = validators.get(key) ?? ajv.compile({ ...schema, components })
  validators.set(key, known)
  return known
}

function typeOf({ headers }: GivenAnswer): string {
  return String(headers['content-type'] ?? '')
}

function expectType(answer: GivenAnswer, type: string): void {
  if (!typeOf(answer).startsWith(type)) throw notAsDescribed(answer, `is no ${type}`)
}

function expectEmpty(answer: GivenAnswer): void {
  if (answer.body !== '') throw notAsDescribed(answer, 'has a body')
}

function notAsDescribed({ method, url, httpStatus, body }: GivenAnswer, how: string): Error {
  return new Error(`The answer ${httpStatus} to ${method} ${url.slice(0, 200)} ${how}: ${body.slice(0, 500)}`)
}
