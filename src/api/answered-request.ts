import type { FastifyReply, FastifyRequest } from 'fastify'

/** An answer of the server, without an address or anything else that the caller has sent. */
export interface AnsweredRequest {
  method: string
  /** A pattern such as `/v2/migrations/:id`; `none` where nothing is. */
  route: string
  httpStatus: number
  seconds: number
  requestId: string
  /** The migration that the request is about, or has made. */
  run: { id: string; isNew: boolean } | undefined
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const runPath = new RegExp(`^/v2/migrations/(${uuid})$`)

/** Callers write whatever they like into an address, so only what has the form of an id is one. */
export function runOf({ routeOptions, params }: FastifyRequest, reply: FastifyReply): AnsweredRequest['run'] {
  const made = String(reply.getHeader('location') ?? '').match(runPath)?.[1]
  if (made !== undefined) return { id: made, isNew: true }
  const { id } = Object(params) as { id?: unknown }
  const isAboutRun = routeOptions.url?.startsWith('/v2/migrations/:id') && runPath.test(`/v2/migrations/${id}`)
  return isAboutRun ? { id: String(id), isNew: false } : undefined
}
