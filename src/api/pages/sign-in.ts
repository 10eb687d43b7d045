import type { FastifyInstance } from 'fastify'
import { returnPath } from '../../accounts/return-to.ts'
import { sessionCookie } from '../../accounts/session-cookie.ts'
import { type Html, html } from '../../contract/primitives/html.ts'
import { limits } from '../../contract/primitives/limits.ts'
import { signIn } from '../../operations/sessions/sign-in.ts'
import type { Deps } from '../../operations/shared/operation.ts'
import { perform } from '../../operations/shared/perform.ts'
import { formFields, refuse, sendPage, visitorOf } from './page-answers.ts'

const title = 'Sign in'

export function addSignInPage(pages: FastifyInstance, deps: Deps): void {
  pages.get('/app/sign-in', { schema: { hide: true } }, async (request, reply) => {
    const { return_to, kept } = request.query as Record<string, string | undefined>
    const returnTo = returnPath(return_to)
    if (await deps.sessions.find(request.headers.cookie)) return reply.redirect(returnTo, 303)
    const problem = kept === undefined ? undefined : withoutCookie(deps.settings.siteUrl)
    return sendPage(reply, { title, problem, body: form({ returnTo }) })
  })

  pages.post('/app/sign-in', { schema: { hide: true } }, async (request, reply) => {
    const { email, password, return_to } = formFields(request, ['email', 'password', 'return_to'])
    const returnTo = returnPath(return_to)
    try {
      const { output } = await perform(signIn, { email, password }, visitorOf(request), deps)
      reply.header('set-cookie', sessionCookie(output.sessionId, limits.sessionSeconds))
      // First back here, to notice a browser that did not keep the cookie (S13).
      return reply.redirect(`/app/sign-in?kept=1&return_to=${encodeURIComponent(returnTo)}`, 303)
    } catch (error) {
      const problem = refuse(reply, error)
      return sendPage(reply, { title, problem, body: form({ returnTo, email }) })
    }
  })
}

function withoutCookie(siteUrl: string): string {
  return (
    `Your browser did not keep the sign-in cookie. Allow cookies for ${siteUrl}, then sign in again. ` +
    'Some browsers keep no secure cookies over plain http, even on this machine: use another browser, or https.'
  )
}

function form({ returnTo, email = '' }: { returnTo: string; email?: string }): Html {
  return html`<form method="post" action="/app/sign-in">
<input type="hidden" name="return_to" value="${returnTo}">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${email}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">Sign in</button>
<p class="note">No account? Ask an owner of your organization to invite you.</p>
</form>`
}
