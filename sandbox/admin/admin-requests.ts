import type { SandboxAnswer } from '../http/resource.ts'
import type { LogFilter } from '../server/request-log.ts'
import type { StoreHost } from '../server/store-host.ts'
import { done, refused } from './admin-answers.ts'

/** The part of the request log that the query selects. */
export function listRequests({ log }: StoreHost, query: URLSearchParams): SandboxAnswer {
  const filter: LogFilter = {}
  for (const name of ['status', 'since', 'limit'] as const) {
    const value = query.get(name)
    if (value === null) continue
    if (!/^\d+$/.test(value)) return refused(400, `${name} must be a whole number`)
    filter[name] = Number(value)
  }
  const [method, path] = [query.get('method'), query.get('path')]
  if (method !== null) filter.method = method.toUpperCase()
  try {
    if (path !== null) filter.path = new RegExp(path)
  } catch (error) {
    return refused(400, `path must be a regular expression: ${error}`)
  }
  return done(log.list(filter))
}
