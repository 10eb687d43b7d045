import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn, Visitor } from '../../accounts/caller.ts'
import { signInPath } from '../../accounts/return-to.ts'
import { page } from '../../contract/primitives/html.ts'
import { errorStatuses, ServiceError } from '../../contract/service-error.ts'
import type { Deps } from '../../operations/shared/operation.ts'

export function sendPage(reply: FastifyReply, content: Parameters<typeof page>[0]): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page(content))
}

/** Who is signed in, or undefined after sending the browser to the sign-in page. */
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

/** Fields of a form, as an operation takes them: text by name, and nothing else. */
export function formFields<Name extends string>(request: FastifyRequest, names: readonly Name[]): Record<Name, string> {
  const body = (request.body ?? {}) as Record<string, unknown>
  const field = (name: Name): [Name, string] => [name, typeof body[name] === 'string' ? body[name] : '']
  // Every name has got its entry.
  return Object.fromEntries(names.map(field)) as Record<Name, string>
}

/** What to say above the form after an operation refused it, with the answer's status set; what is our own fault stays an error. */
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
