/** A route this many times slower than usual means that the store is at its limit. */
const degradedFactor = 1.6

interface RouteLatency {
  calls: number
  usualMs: number
  recentMs: number
}

/** How long the calls of each route take. Routes and classes of calls are never compared with each other. */
export class RouteLatencies {
  readonly #routes = new Map<string, RouteLatency>()

  /** @returns whether this route is now much slower than usual. */
  observe(call: { cls: string; method: string; path: string }, latencyMs: number): boolean {
    const key = `${call.cls} ${call.method} ${call.path.replace(/\/\d+(?=\/|$)/g, '/{id}')}`
    const route = this.#routes.get(key) ?? { calls: 0, usualMs: latencyMs, recentMs: latencyMs }
    this.#routes.set(key, route)
    route.calls += 1
    route.recentMs += (latencyMs - route.recentMs) * 0.2
    // The mean of the first calls, which then moves slowly and equally in both directions: noise must not count as
    // slowness, and slowness that we cause ourselves must not soon become the norm.
    route.usualMs += (latencyMs - route.usualMs) * (route.calls < 8 ? 1 / route.calls : 0.001)
    return route.recentMs > route.usualMs * degradedFactor + 20
  }
}
