import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody } from '../contract/error-body.ts'
import { type ErrorCode, errorStatuses, ServiceError } from '../contract/service-error.ts'
import { isDatabaseAway } from '../operations/shared/database-away.ts'

/** The edge where every error becomes a body. What we did not foresee is logged whole and answered with nothing of it. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  nameRequest(request, reply)
  const known = reveal(error, request)
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds)
  // RFC 9110, 15.5.2: a 401 names the scheme that would be accepted.
  if (errorStatuses[known.code] === 401 && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer')
  // An error met while answering may come with the header of another body.
  reply.removeHeader('content-length')
  // Serialised here: this body has one shape whatever the route answers otherwise.
  reply
    .code(errorStatuses[known.code])
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(bodyOf(known))
}

/**
 * Whoever reports an answer can say which: the header is the `reqId` of every line that was logged of the request. On the answer itself,
 * so that it is also there where others write to it, and where a request cannot be read far enough for a hook.
 */
export function nameRequest({ id }: FastifyRequest, { raw }: FastifyReply): void {
  if (!raw.headersSent) raw.setHeader('x-request-id', id)
}

/** What may be said of an error; the rest of one that we did not foresee goes to the log. */
export function reveal(error: unknown, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error
  const route = request.routeOptions.url
  if (isDatabaseAway(error)) {
    request.log.error({ err: error, route }, 'The database takes no statement')
    return databaseAway()
  }
  const known = fromFramework(error)
  if (known.code === 'internal_error') request.log.error({ err: error, route }, 'Unexpected error')
  return known
}

function bodyOf({ code, message, upstreamStatus, errors }: ServiceError): ErrorBody {
  return {
    error: code,
    message,
    ...(upstreamStatus !== undefined && { status: upstreamStatus }),
    ...(errors !== undefined && { errors }),
  }
}

/** Fastify refuses some requests itself; its words stay with it, ours are below. */
const frameworkRefusals: Record<number, { code: ErrorCode; message: string }> = {
  400: { code: 'malformed_request', message: 'The request cannot be read: send well-formed JSON and a valid address.' },
  404: { code: 'not_found', message: 'There is nothing at this address.' },
  413: { code: 'payload_too_large', message: 'The body is larger than this address accepts.' },
  414: { code: 'malformed_request', message: 'The address is too long.' },
  415: { code: 'unsupported_media_type', message: 'Send the body as application/json.' },
  503: { code: 'unavailable', message: 'The service is too busy at this moment. Try again in a few seconds.' },
}

/** Nobody is at fault, and nothing has to be changed before it is asked for again. */
function databaseAway(): ServiceError {
  return new ServiceError('unavailable', 'The database of the service does not answer. Try again in a few seconds.', {
    retryAfterSeconds: 5,
  })
}

function fromFramework(error: unknown): ServiceError {
  const { statusCode } = error as Partial<FastifyError>
  const refusal = frameworkRefusals[statusCode ?? 500]
  if (!refusal)
    return new ServiceError('internal_error', 'Something went wrong on our side. Try again; if it stays, report it.')
  return new ServiceError(refusal.code, refusal.message, refusal.code === 'unavailable' ? { retryAfterSeconds: 5 } : {})
}
