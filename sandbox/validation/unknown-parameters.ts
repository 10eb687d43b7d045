import { v2Error, v3Error } from '../http/answers.ts'
import type { SandboxAnswer, SandboxRoute } from '../http/resource.ts'
import { PUBLISHED_FIELDS } from './body-fields.ts'
import { PUBLISHED_PARAMETERS } from './query-parameters.ts'

/** Accepted by real stores, though no published file names them. Sources: docs/sandbox-differences.md. */
const ALSO_ACCEPTED: Readonly<Record<string, string>> = {
  '/v3/catalog/trees': 'page limit',
}

/** What real stores answer to a GET with a parameter that its resource does not have; undefined when all are known. */
export function refusedParameters({ method, path }: SandboxRoute, query: URLSearchParams): SandboxAnswer | undefined {
  const published = PUBLISHED_PARAMETERS[path]
  if (method !== 'GET' || published === undefined) return undefined
  const known = new Set(`${published} ${ALSO_ACCEPTED[path] ?? ''}`.split(' '))
  const unknown = [...new Set(query.keys())].filter((name) => !known.has(name))
  if (unknown.length === 0) return undefined
  if (path.startsWith('/v2/')) return v2Error(400, `The field '${unknown[0]}' is not supported by this resource.`)
  return v3Error(422, `The filter(s): ${unknown.join(',')} are not valid filter parameter(s).`)
}

/** What real stores answer to a write of version 2 with a field that its resource does not have; undefined when all are known. */
export function refusedFields({ method, path }: SandboxRoute, body: unknown): SandboxAnswer | undefined {
  const published = PUBLISHED_FIELDS[`${method} ${path}`]
  if (published === undefined || typeof body !== 'object' || body === null) return undefined
  const known = published.split(' ')
  const unknown = Object.keys(body).find((name) => !known.includes(name))
  return unknown === undefined ? undefined : v2Error(400, `The field '${unknown}' is not supported by this resource.`)
}
