import { isPlatformWide, replacementFor } from './contradictions.ts'
import { type Answer, type Call, inShop, type Shop } from './drivers/contract-shop.ts'
import { type Ask, type Driver, pathOf } from './drivers/driver.ts'
import {
  operationKey,
  type PublishedOperation,
  publishedAnswer,
  publishedBody,
  publishedStatuses,
} from './published-operations.ts'
import { type Complaint, checkSchema, isObject, resolve, type Schema } from './schema-check.ts'

/** Something in an exchange that the published file does not say, or says otherwise. */
export interface Finding extends Complaint {
  operation: string
  /** The status of the answer that was looked at, or `request` for the body that was sent. */
  part: string
}

export interface Verdict {
  operation: string
  findings: Finding[]
  /** Answers that were looked at, by status. */
  successes: number[]
  errors: number[]
}

type Operations = Map<string, PublishedOperation>

/** What the driver does not say, because it goes for every operation: how to be refused with these statuses. */
const REFUSALS: Record<number, { scopes?: string[]; change(call: Call): Call }> = {
  401: { change: (call) => ({ ...call, headers: { 'X-Auth-Token': 'wrong' } }) },
  403: { scopes: [], change: (call) => call },
  405: { change: (call) => ({ ...call, method: 'PATCH' }) },
  415: { change: (call) => ({ ...call, headers: { 'Content-Type': 'text/plain' } }) },
}

/** Drives one operation through all its ways to answer and holds every answer against the published files. */
export async function judge(driver: Driver, operations: Operations): Promise<Verdict> {
  const [method = '', template = ''] = driver.operation.split(' ')
  const published = operations.get(operationKey(method, template))
  if (!published) throw new Error(`No published file has ${driver.operation}`)
  const verdict: Verdict = { operation: driver.operation, findings: [], successes: [], errors: [] }
  const judgeOne = async (ask: Ask, expected: 'success' | 'error', refusal?: number) => {
    const { scopes, change } = REFUSALS[refusal ?? 0] ?? { change: (call: Call) => call }
    const { call, answer } = await inShop((shop) => exchange(shop, ask, method, template, change), scopes)
    const isSuccess = answer.status < 300
    ;(isSuccess ? verdict.successes : verdict.errors).push(answer.status)
    note(
      String(answer.status),
      isSuccess === (expected === 'success') ? [] : [{ at: '(outcome)', says: `is no ${expected}` }],
    )
    note(String(answer.status), answerComplaints(driver.operation, published, operations, answer))
    if (isSuccess) note('request', requestComplaints(published, call))
  }
  const note = (part: string, complaints: Complaint[]) => {
    const known = part.startsWith('4') ? complaints.filter((one) => !isPlatformWide(one)) : complaints
    verdict.findings.push(...known.map((one) => ({ ...one, operation: driver.operation, part })))
  }
  for (const ask of driver.succeeds) await judgeOne(ask, 'success')
  for (const ask of driver.fails) await judgeOne(ask, 'error')
  for (const status of refusalsOf(published, driver)) await judgeOne(anyAsk(driver, status), 'error', status)
  return verdict
}

/** The refusals that the file documents; for an operation that no parameter can make fail, at least the wrong token. */
function refusalsOf(published: PublishedOperation, { fails }: Driver): number[] {
  const documented = publishedStatuses(published).filter((status) => REFUSALS[status])
  return documented.length === 0 && fails.length === 0 ? [401] : documented
}

/** Without scopes a driver cannot look around in the shop, so the path names nobody: who asks is checked first. */
function anyAsk({ operation, succeeds }: Driver, status: number): Ask {
  const ids = [...operation.matchAll(/:\w+/g)].map(() => 1)
  return status === 415 || status === 405 ? (succeeds[0] ?? { ids }) : { ids }
}

async function exchange(shop: Shop, ask: Ask, method: string, template: string, change: (call: Call) => Call) {
  const given = typeof ask === 'function' ? await ask(shop) : ask
  const call = change({ method, path: pathOf(template, given), body: given.body })
  return { call, answer: await shop.call(call) }
}

function requestComplaints(published: PublishedOperation, { body }: Call): Complaint[] {
  if (body === undefined) return []
  const isForm = body instanceof FormData
  const schema = publishedBody(published, isForm ? 'multipart/form-data' : 'application/json')
  if (!schema) return [{ at: '(body)', says: 'is not in the file' }]
  return checkSchema(published.document, schema, isForm ? fieldsOf(body) : body)
}

/** A file of a form is a string in the published schemas. */
function fieldsOf(form: FormData): Record<string, string> {
  return Object.fromEntries([...form.keys()].map((name) => [name, String(form.get(name))]))
}

function answerComplaints(
  operation: string,
  published: PublishedOperation,
  operations: Operations,
  answer: Answer,
): Complaint[] {
  const replacement = replacementFor(operation, answer.status)
  if (replacement) return bodyComplaints(published.document, replacement.schema, answer)
  const documented = publishedAnswer(published, answer.status)
  const schema = jsonSchema(documented?.content)
  if (documented && schema) {
    const mediaType = Object.hasOwn(documented.content, answer.mediaType || 'application/json')
    const other = mediaType ? [] : [{ at: '(media type)', says: `is ${answer.mediaType}` }]
    return [...other, ...bodyComplaints(documented.document, schema, answer)]
  }
  const mediaTypes = Object.keys(documented?.content ?? {})
  if (documented && mediaTypes.length === 0) {
    return answer.body === undefined ? [] : [{ at: '(body)', says: 'the file has no body' }, ...elsewhere()]
  }
  return [{ at: '(status)', says: missing(mediaTypes) }, ...elsewhere()]

  /** What the file says of this answer at another operation stands in for what it does not say here. */
  function elsewhere(): Complaint[] {
    const found = standIn(published, operations, operation, answer.status)
    return found ? bodyComplaints(found.document, found.schema, answer) : [{ at: '(schema)', says: 'is nowhere' }]
  }
}

function missing(mediaTypes: string[]): string {
  if (mediaTypes.length === 0) return 'is not documented'
  return mediaTypes.includes('application/json') ? 'has no schema' : `is documented as ${mediaTypes.join(', ')} only`
}

function standIn(published: PublishedOperation, operations: Operations, operation: string, status: number) {
  const version = / \/v\d\//.exec(operation)?.[0] ?? ''
  const sameVersion = [...operations].flatMap(([key, one]) => (key.includes(version) ? [one] : []))
  const sameFile = sameVersion.filter((one) => one.file === published.file)
  for (const [where, fits] of [
    [sameFile, (other: number) => other === status],
    [sameFile, (other: number) => other >= 400 && status >= 400],
    [sameVersion, (other: number) => other === status],
  ] as const) {
    const found = where.flatMap((one) => jsonSchemas(one, fits))[0]
    if (found) return found
  }
  return undefined
}

function jsonSchema(content: Record<string, Schema> = {}): Schema | undefined {
  const json = content['application/json'] ?? content['application/problem+json']
  return isObject(json?.schema) ? json.schema : undefined
}

function jsonSchemas(
  one: PublishedOperation,
  fits: (status: number) => boolean,
): { document: Schema; schema: Schema }[] {
  return publishedStatuses(one)
    .filter(fits)
    .flatMap((status) => {
      const schema = jsonSchema(publishedAnswer(one, status)?.content)
      return schema ? [{ document: one.document, schema }] : []
    })
}

function bodyComplaints(document: Schema, schema: Schema, { body, status }: Answer): Complaint[] {
  if (body === undefined) return [{ at: '(body)', says: 'is missing' }]
  return [
    ...(status < 300 && isEmpty(body) && describesFields(document, schema) ? [{ at: 'data', says: 'is empty' }] : []),
    ...checkSchema(document, schema, body),
  ]
}

/** False where the file itself shows an empty object: nothing can be asked of it then. */
function describesFields(document: Schema, schema: Schema): boolean {
  const { properties } = resolve(document, schema) ?? {}
  if (!isObject(properties)) return true
  const data = resolve(document, properties.data)
  return Object.keys(data && isObject(data.properties) ? data.properties : properties).length > 0
}

/** A list without rows would fit any schema. */
function isEmpty(body: unknown): boolean {
  const shown = isObject(body) && 'data' in body ? body.data : body
  return typeof shown === 'object' && shown !== null && Object.keys(shown).length === 0
}
