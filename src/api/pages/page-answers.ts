import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn, Visitor } from '../../accounts/caller.ts'
import { signInPath } from '../../accounts/return-to.ts'
import { page } from '../../contract/primitives/html.ts'
import { errorStatuses, ServiceError } from '../../contract/service-error.ts'
import type { Deps } from '../../operations/shared/operation.ts'

export function sendPage(reply: FastifyReply, content: Parameters<typeof page>[0]): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page(content))
}

/** The signed-in person; undefined after redirecting the browser to the sign-in page. */
export async function signedInOrSent(
  request: FastifyRequest,
  reply: FastifyReply,
  { sessions }: Deps,
): Promise<(SignedIn & Visitor) | undefined> {
  const signedIn = await sessions.find(request.headers.cookie)
  if (signedIn) return { ...signedIn, ...visitorOf(request) }
  reply.redirect(signInPath(request.method === 'GET' ? request.url : '/app'), 303)
  return undefined
}

export function visitorOf(request: FastifyRequest): Visitor {
  return { address: request.ip, cookieHeader: request.headers.cookie }
}

/** The named fields of a form, as text; anything else becomes ''. */
export function formFields<Name extends string>(request: FastifyRequest, names: readonly Name[]): Record<Name, string> {
  const body = (request.body ?? {}) as Record<string, unknown>
  const field = (name: Name): [Name, string] => [name, typeof body[name] === 'string' ? body[name] : '']
  // Object.fromEntries forgets the names.
  return Object.fromEntries(names.map(field)) as Record<Name, string>
}

/** The message above a form that an operation refused; sets the status. Our own faults are thrown on. */
export function refuse(reply: FastifyReply, error: unknown): string {
  if (!(error instanceof ServiceError) || error.code === 'internal_error') throw error
  reply.code(errorStatuses[error.code])
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
  const fields = Object.entries(error.errors ?? {})
  if (fields.length === 0) return error.message
  return fields.map(([field, messages]) => `${labelOf(field)}: ${messages.join(' ')}`).join(' ')
}

/** `currentPassword` reads "Current password". */
function labelOf(field: string): string {
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
