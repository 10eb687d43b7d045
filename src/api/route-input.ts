import { z } from 'zod'
import { ServiceError } from '../contract/service-error.ts'
import type { Route } from './routes.ts'

export interface RouteInput {
  /** The parts as schemas, for the API description; absent if the operation reads nothing from that part. */
  params?: z.ZodObject
  querystring?: z.ZodObject
  body?: z.ZodObject
  headers?: z.ZodObject
  /** Merges the parts of a request into one input for the operation's schema. */
  merge(request: { params: unknown; query: unknown; body: unknown; headers: Record<string, unknown> }): unknown
}

interface HeaderInput {
  header: string
  input: string
}

/** The header for a key of the input, if any. */
function headerInputOf({ idempotent, answer }: Route): HeaderInput | undefined {
  if (idempotent) return { header: 'idempotency-key', input: 'idempotencyKey' }
  return answer === 'events' ? { header: 'last-event-id', input: 'lastEventId' } : undefined
}

/** Which part of a request each key of an operation's input comes from. */
export function routeInput(route: Route): RouteInput {
  const { method, path, operation } = route
  const fromHeader = headerInputOf(route)
  if (!(operation.input instanceof z.ZodObject))
    throw new TypeError(`The input of ${operation.name} is not an object schema.`)
  const { shape } = operation.input
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
  // A file always contains all pages.
  const ofPages = typeof route.answer === 'object' ? ['limit', 'cursor'] : []
  const elsewhere = [...inPath, ...(fromHeader ? [fromHeader.input] : []), ...ofPages]
  const rest = Object.keys(shape).filter((key) => !elsewhere.includes(key))
  const restPart = method === 'GET' ? 'querystring' : 'body'
  return {
    ...(inPath.length > 0 && { params: pick(shape, inPath) }),
    ...(rest.length > 0 && { [restPart]: pick(shape, rest) }),
    ...(fromHeader && { headers: z.object({ [fromHeader.header]: z.string().optional() }) }),
    merge: ({ params, query, body, headers }) => {
      refuseEmpty(path, Object(params))
      // Ignored, `?mode=dry-run` would start a real run.
      if (method !== 'GET') refuseKeys(Object(query), Object.keys(Object(query)), 'Send it in the body.')
      const given = method === 'GET' ? query : (body ?? {})
      if (!isPlainObject(given)) return given
      refuseKeys(given, elsewhere, 'Unknown key.')
      const said = fromHeader && headers[fromHeader.header]
      return {
        ...given,
        ...(isPlainObject(params) && params),
        ...(fromHeader && said !== undefined && { [fromHeader.input]: said }),
      }
    },
  }
}

function pick(shape: Readonly<Record<string, z.core.$ZodType>>, keys: string[]): z.ZodObject {
  return z.strictObject(Object.fromEntries(keys.map((key) => [key, shape[key] ?? z.never()])))
}

/** Such as that of a variable of a script that is not set. */
function refuseEmpty(path: string, params: object): void {
  const empty = Object.entries(params).find(([, value]) => value === '')
  if (!empty) return
  const form = path.replaceAll(/:(\w+)/g, '{$1}')
  throw new ServiceError('not_found', `There is no such address: ${empty[0]} is empty in ${form}.`)
}

/** A key that belongs in the path, a header or the body is refused anywhere else. */
function refuseKeys(given: object, keys: string[], message: string): void {
  const misplaced = keys.filter((key) => Object.hasOwn(given, key))
  if (misplaced.length === 0) return
  throw new ServiceError('validation_failed', 'Some fields are not valid; see errors.', {
    errors: Object.fromEntries(misplaced.map((key) => [key, [message]])),
  })
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
