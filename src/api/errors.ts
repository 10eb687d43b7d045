import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody } from '../contract/error-body.ts'
import { type ErrorCode, errorHelpPath, errorStatuses, ServiceError } from '../contract/service-error.ts'
import { withoutDatabase } from '../operations/shared/database-away.ts'

/** Turns every error into a response. Unexpected errors are logged in full and reveal nothing to the caller. */
export function createErrorHandler(siteUrl: string) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    nameRequest(request, reply)
    const known = reveal(error, request)
    if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds)
    // RFC 9110, 15.5.2: a 401 names the accepted scheme.
    if (errorStatuses[known.code] === 401 && !reply.hasHeader('www-authenticate'))
      reply.header('www-authenticate', 'Bearer')
    // It may still be the length of the body that could not be sent.
    reply.removeHeader('content-length')
    // Bypasses the route's serialiser, because an error body has the same shape everywhere.
    reply
      .code(errorStatuses[known.code])
      .header('link', helpLink(siteUrl, known.code))
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(bodyOf(known))
  }
}

/** A link to the page that explains the code and its remedy. Source: RFC 8288, 3. */
export function helpLink(siteUrl: string, code: ErrorCode): string {
  return `<${siteUrl}${errorHelpPath}/${code}>; rel="help"`
}

/**
 * Sends the request id, the `reqId` of every log line of the request. Set on the raw response, because the OAuth
 * library writes to it directly and malformed requests never reach a hook.
 */
export function nameRequest({ id }: FastifyRequest, { raw }: FastifyReply): void {
  if (!raw.headersSent) raw.setHeader('x-request-id', id)
}

/** The part of an error that the caller may see; an unexpected error goes to the log. */
export function reveal(error: unknown, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error
  const route = request.routeOptions.url
  const unserved = withoutDatabase(error)
  if (unserved) {
    request.log.error({ err: error, route }, 'The database did not carry out a statement')
    return unserved
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

/** Requests that Fastify itself refuses, with our message instead of its own. */
const frameworkRefusals: Record<number, { code: ErrorCode; message: string }> = {
  400: { code: 'malformed_request', message: 'The request is malformed: send valid JSON and a valid address.' },
  // A path that climbs out of the folder of a file.
  403: { code: 'not_found', message: 'There is no such address.' },
  404: { code: 'not_found', message: 'There is no such address.' },
  413: { code: 'payload_too_large', message: 'The body is larger than this address accepts.' },
  414: { code: 'malformed_request', message: 'The address is too long.' },
  415: { code: 'unsupported_media_type', message: 'Send the body as application/json.' },
  503: { code: 'unavailable', message: 'The service is too busy right now. Try again in a few seconds.' },
}

/** What exactly is malformed, by Fastify's code. */
const malformed: Record<string, string> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty: send {}, or leave out the header Content-Type.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON in UTF-8.',
}

function fromFramework(error: unknown): ServiceError {
  const { statusCode, code = '' } = error as Partial<FastifyError>
  const refusal = frameworkRefusals[statusCode ?? 500]
  if (!refusal)
    return new ServiceError(
      'internal_error',
      'Something went wrong on our side. Try again; if it happens again, report it.',
    )
  return new ServiceError(
    refusal.code,
    malformed[code] ?? refusal.message,
    refusal.code === 'unavailable' ? { retryAfterSeconds: 5 } : {},
  )
}
