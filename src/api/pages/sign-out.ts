import type { FastifyInstance } from 'fastify'
import type { SignedIn } from '../../accounts/caller.ts'
import { endedSessionCookie } from '../../accounts/session-cookie.ts'
import { signOut } from '../../operations/sessions/sign-out.ts'
import type { Deps } from '../../operations/shared/operation.ts'
import { perform } from '../../operations/shared/perform.ts'

/** A form, so that it works even if the application does not. */
export function addSignOut(pages: FastifyInstance, deps: Deps): void {
  pages.post('/app/sign-out', { schema: { hide: true } }, async (request, reply) => {
    const by = await deps.sessions.find(request.headers.cookie)
    if (by) await perform<Record<string, never>, undefined, SignedIn>(signOut, {}, by, deps)
    return reply.header('set-cookie', endedSessionCookie()).redirect('/app/sign-in', 303)
  })
}
