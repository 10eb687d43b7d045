import type { FastifyInstance } from 'fastify'

/** Addresses for probes, which answer on any host name. */
export const healthPaths = ['/health', '/healthz', '/readyz']

/** For a route that answers however busy the process is. */
export const evenIfBusy = { schema: { hide: true }, config: { pressureHandler: () => undefined } }

/**
 * What probes ask (S29). `/health` and `/healthz`: the process answers; it does so however busy it is, because a busy process must not be
 * restarted. `/readyz`: it can do its work, and is not about to end.
 */
export function addHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  for (const path of ['/health', '/healthz']) app.get(path, evenIfBusy, async () => ({ status: 'ok' }))
  app.get('/readyz', { schema: { hide: true } }, async (_, reply) =>
    (await isReady()) ? { status: 'ready' } : reply.code(503).send({ status: 'not_ready' }),
  )
}
