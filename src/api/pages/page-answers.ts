import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../../accounts/caller.ts'
import { page } from '../../contract/primitives/html.ts'
import { errorStatuses, ServiceError } from '../../contract/service-error.ts'

export function sendPage(reply: FastifyReply, content: Parameters<typeof page>[0]): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page(content))
}

export function visitorOf(request: FastifyRequest): Visitor {
  return { address: request.ip, cookieHeader: request.headers.cookie, agent: request.headers['user-agent'] }
}

/** The given fields of a form, as text; anything else becomes ''. */
export function formFields<Name extends string>(request: FastifyRequest, names: readonly Name[]): Record<Name, string> {
  const body = (request.body ?? {}) as Record<string, unknown>
  const field = (name: Name): [Name, string] => [name, typeof body[name] === 'string' ? body[name] : '']
  // Object.fromEntries loses the names.
  return Object.fromEntries(names.map(field)) as Record<Name, string>
}

/** The message above a form that an operation refused; sets the status. Internal errors are rethrown. */
export function refuse(reply: FastifyReply, error: unknown): string {
  if (!(error instanceof ServiceError) || error.code === 'internal_error') throw error
  reply.code(errorStatuses[error.code])
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
  const fields = Object.entries(error.errors ?? {})
  if (fields.length === 0) return error.message
  return fields.map(([field, messages]) => `${labelOf(field)}: ${messages.join(' ')}`).join(' ')
}

/** `currentPassword` becomes "Current password". */
function labelOf(field: string): string {
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
