import { errorBody, v2Error, v3Error } from '../http/answers.ts'
import type { SandboxAnswer, SandboxRoute } from '../http/resource.ts'
import { PUBLISHED_FIELDS } from './body-fields.ts'
import { PUBLISHED_PARAMETERS } from './query-parameters.ts'

/** Parameters that real stores accept although no published file names them. Sources: sandbox/recorded/paging.json. */
const ALSO_ACCEPTED: Readonly<Record<string, string>> = {
  '/v3/catalog/trees': 'page limit',
  '/v2/shipping/zones': 'limit',
  '/v2/shipping/zones/:zoneId/methods': 'limit',
  '/v3/tax/properties': 'limit',
  '/v3/tax/rates': 'limit',
  '/v3/tax/zones': 'limit',
  // The published file names only `page`, but describes in a sentence how to use both.
  '/v3/catalog/categories/:categoryId/products/sort-order': 'limit',
  // The published file names none of these, but warns that a page which does not match them is not found.
  '/v3/content/pages/:pageId': 'channel_id id:in name name:like',
}

/** The answer of real stores to a GET with a parameter that the resource does not have; undefined if all are known. */
export function refusedParameters({ method, path }: SandboxRoute, query: URLSearchParams): SandboxAnswer | undefined {
  const published = PUBLISHED_PARAMETERS[path]
  if (method !== 'GET' || published === undefined) return undefined
  const known = new Set(`${published} ${ALSO_ACCEPTED[path] ?? ''}`.split(' '))
  const unknown = [...new Set(query.keys())].filter((name) => !known.has(name))
  if (unknown.length === 0) return undefined
  if (path.startsWith('/v2/')) return v2Error(400, `The field '${unknown[0]}' is not supported by this resource.`)
  if (path === '/v3/content/pages')
    return { status: 422, body: { ...errorBody(422, 'Invalid Input.'), errors: unknown } }
  return v3Error(422, `The filter(s): ${unknown.join(',')} are not valid filter parameter(s).`)
}

const idIsGiven = "The field 'id' cannot be written to. Please remove it from your request before trying again."

/**
 * The answer of real stores to a version 2 write with a field that the resource does not have; undefined if all are
 * known.
 */
export function refusedFields({ method, path }: SandboxRoute, body: unknown): SandboxAnswer | undefined {
  const published = PUBLISHED_FIELDS[`${method} ${path}`]
  if (published === undefined || typeof body !== 'object' || body === null) return undefined
  const known = published.split(' ')
  const unknown = Object.keys(body).find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  // Recorded for coupons. Any other field gets the message for unknown fields, even if answers have it.
  if (unknown === 'id') return v2Error(400, idIsGiven)
  return v2Error(400, `The field '${unknown}' is not supported by this resource.`)
}
