import Fastify, { type FastifyInstance } from 'fastify'
import type { Metrics } from './metrics.ts'

/** Answers Prometheus and probes, on a port of its own (S29): a worker has no other. Not listening yet. */
export function buildMetricsServer(
  metrics: Pick<Metrics, 'text'>,
  { isReady }: { isReady(): Promise<boolean> },
): FastifyInstance {
  const app = Fastify({ bodyLimit: 1, requestTimeout: 10_000, http: { headersTimeout: 5_000 } })
  app.get('/metrics', async (_, reply) => {
    const { contentType, body } = await metrics.text()
    return reply.type(contentType).send(body)
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_, reply) =>
    (await isReady()) ? { status: 'ready' } : reply.code(503).send({ status: 'not_ready' }),
  )
  return app
}
