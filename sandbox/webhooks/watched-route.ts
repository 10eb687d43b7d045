import type { SandboxRequest, SandboxRoute } from '../http/resource.ts'
import { changesBetween, type WatchedKind } from './row-changes.ts'
import { WATCHED_CALLS } from './watched-calls.ts'
import { webhooksOf } from './webhooks.ts'

/**
 * Wraps a route to raise events, by comparing rows before and after the call. The answer does not matter: a partly
 * refused batch raises events for what was saved.
 */
export function watchedRoute(route: SandboxRoute): SandboxRoute {
  const kinds = WATCHED_CALLS[`${route.method} ${route.path}`]
  return kinds ? { ...route, handle: (request) => applyAndNotify(route, kinds, request) } : route
}

async function applyAndNotify(route: SandboxRoute, kinds: readonly WatchedKind[], request: SandboxRequest) {
  const webhooks = webhooksOf(request.store)
  if (!webhooks.isListenedTo()) return route.handle(request)
  const looks = kinds.map((kind) => ({ kind, before: kind.rows({ request }) }))
  const answer = await route.handle(request)
  const call = { request, answer }
  for (const { kind, before } of looks) {
    webhooks.announce(kind.events(changesBetween(before, kind.rows(call), kind.silent), call))
  }
  return answer
}
