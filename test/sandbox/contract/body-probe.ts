import { inShop, type Shop } from './drivers/contract-shop.ts'
import { type Ask, type Driver, type Exchange, pathOf } from './drivers/driver.ts'
import { operationKey, type PublishedOperation, publishedBody } from './published-operations.ts'
import { checkSchema, isObject, type Schema } from './schema-check.ts'

/** One way to spoil a body: a field taken away, or given something of another type. */
interface Spoiling {
  field: string
  how: 'missing' | 'of another type'
}

export interface Probes {
  /** Bodies that the file refuses and that were sent. */
  sent: number
  /** Those that the sandbox took, as `POST /v3/x field missing`. */
  taken: string[]
}

/** Sends the driver's first good body spoiled in one field at a time, wherever the file refuses the outcome. */
export async function probeBodies(driver: Driver, operations: Map<string, PublishedOperation>): Promise<Probes> {
  const [method = '', template = ''] = driver.operation.split(' ')
  const published = operations.get(operationKey(method, template))
  const schema = published && publishedBody(published)
  const [ask] = driver.succeeds
  const probes: Probes = { sent: 0, taken: [] }
  if (!published || !schema || !ask) return probes
  let left: Spoiling[] | undefined
  // What was refused has changed nothing; after one that was taken the next is sent in a shop of its own.
  const untilOneIsTaken = async (shop: Shop) => {
    const given = await prepared(ask, shop)
    left ??= spoilingsOf(given.body)
    for (let spoiling = left.shift(); spoiling; spoiling = left.shift()) {
      const body = spoiled(given.body, spoiling)
      if (!spoils(published.document, schema, given.body, body)) continue
      probes.sent++
      const { status } = await shop.call({ method, path: pathOf(template, given), body })
      if (status >= 300) continue
      probes.taken.push(`${driver.operation} ${spoiling.field} ${spoiling.how}`)
      return
    }
  }
  do await inShop(untilOneIsTaken)
  while (left?.length)
  return probes
}

async function prepared(ask: Ask, shop: Shop): Promise<Exchange> {
  return typeof ask === 'function' ? ask(shop) : ask
}

/** Of a list the first item is spoiled. */
function spoilingsOf(body: unknown): Spoiling[] {
  const row: unknown = Array.isArray(body) ? body[0] : body
  if (!isObject(row)) return []
  return Object.keys(row).flatMap((field) => [
    { field, how: 'missing' as const },
    { field, how: 'of another type' as const },
  ])
}

function spoiled(body: unknown, { field, how }: Spoiling): unknown {
  if (Array.isArray(body)) return [spoiled(body[0], { field, how })]
  const { [field]: value, ...rest } = isObject(body) ? body : {}
  if (how === 'missing') return rest
  return { ...rest, [field]: typeof value === 'object' ? 'no object' : { no: 'text' } }
}

/** Whether the file complains about something that it did not complain about before. */
function spoils(document: Schema, schema: Schema, before: unknown, after: unknown): boolean {
  const known = new Set(checkSchema(document, schema, before).map(({ at, says }) => `${at} ${says}`))
  return checkSchema(document, schema, after).some(({ at, says }) => !known.has(`${at} ${says}`))
}
