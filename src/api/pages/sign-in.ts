import type { FastifyInstance, FastifyReply } from 'fastify'
import { returnPath, signInPath } from '../../accounts/return-to.ts'
import { sessionCookie } from '../../accounts/session-cookie.ts'
import { type Html, html } from '../../contract/primitives/html.ts'
import { limits } from '../../contract/primitives/limits.ts'
import { signIn } from '../../operations/sessions/sign-in.ts'
import { signInWithCode } from '../../operations/sessions/sign-in-with-code.ts'
import type { Deps } from '../../operations/shared/operation.ts'
import { perform } from '../../operations/shared/perform.ts'
import { readEmail } from './known-email.ts'
import { formFields, refuse, sendPage, visitorOf } from './page-answers.ts'

const title = 'Sign in'

export function addSignInPage(pages: FastifyInstance, deps: Deps): void {
  pages.get('/app/sign-in', { schema: { hide: true } }, async (request, reply) => {
    const { return_to, kept, ...before } = request.query as Record<string, string | undefined>
    const returnTo = returnPath(return_to)
    if (await deps.sessions.find(request.headers.cookie)) return reply.redirect(returnTo, 303)
    const problem = kept === undefined ? undefined : withoutCookie(deps.settings.siteUrl)
    const done = doneBy(before)
    const email = done === undefined ? '' : readEmail(request.headers.cookie)
    return sendPage(reply, { title, problem, body: form({ returnTo, email, done }) })
  })

  pages.post('/app/sign-in', { schema: { hide: true } }, async (request, reply) => {
    const { email, password, return_to } = formFields(request, ['email', 'password', 'return_to'])
    const returnTo = returnPath(return_to)
    try {
      const { output } = await perform(signIn, { email, password }, visitorOf(request), deps)
      if ('sessionId' in output) return enter(reply, output.sessionId, returnTo)
      return sendPage(reply, { title: codeTitle, body: codeForm(returnTo, output.secondStep) })
    } catch (error) {
      const problem = refuse(reply, error)
      return sendPage(reply, { title, problem, body: form({ returnTo, email }) })
    }
  })

  pages.post('/app/sign-in/code', { schema: { hide: true } }, async (request, reply) => {
    const { token, code, return_to } = formFields(request, ['token', 'code', 'return_to'])
    const returnTo = returnPath(return_to)
    try {
      const { output } = await perform(signInWithCode, { token, code }, visitorOf(request), deps)
      return enter(reply, output.sessionId, returnTo)
    } catch (error) {
      const problem = refuse(reply, error)
      return sendPage(reply, { title: codeTitle, problem, body: codeForm(returnTo, token) })
    }
  })
}

function enter(reply: FastifyReply, sessionId: string, returnTo: string): FastifyReply {
  reply.header('set-cookie', sessionCookie(sessionId, limits.sessionSeconds))
  // Redirects here first, to detect a browser that did not keep the cookie (S13).
  return reply.redirect(`/app/sign-in?kept=1&return_to=${encodeURIComponent(returnTo)}`, 303)
}

const codeTitle = 'Enter your code'

/** The password was right. The form contains the token of the waiting sign-in, not the password. */
function codeForm(returnTo: string, token: string): Html {
  return html`<form method="post" action="/app/sign-in/code">
<input type="hidden" name="return_to" value="${returnTo}">
<input type="hidden" name="token" value="${token}">
<label for="code">Code of your authenticator app, or a recovery code</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="100" required autofocus>
<button type="submit">Sign in</button>
<p class="note">Lost both? Ask the people who run this service to turn the second step off.</p>
<p class="note"><a href="${signInPath(returnTo)}">Start again</a></p>
</form>`
}

function withoutCookie(siteUrl: string): string {
  return (
    `Your browser did not keep the sign-in cookie. Allow cookies for ${siteUrl}, then sign in again. ` +
    'Some browsers keep no secure cookies over plain http, even on this machine: use another browser, or https.'
  )
}

/** The action before this page, from the query string that the page of a link adds. */
function doneBy({ password, invitation, administrator }: Record<string, string | undefined>): string | undefined {
  if (invitation === 'accepted') return 'Your invitation is accepted. Sign in with your password.'
  if (administrator === 'created') return 'The administrator is created. Sign in.'
  return password === 'set' ? 'Your password is set. Sign in with it.' : undefined
}

interface Shown {
  returnTo: string
  email?: string
  done?: string
}

function form({ returnTo, email = '', done }: Shown): Html {
  return html`${done !== undefined && html`<p role="status">${done}</p>`}
<form method="post" action="/app/sign-in">
<input type="hidden" name="return_to" value="${returnTo}">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${email}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">Sign in</button>
<p class="note"><a href="/app/forgot">Forgot your password?</a></p>
<p class="note">No account? Ask an owner of your organization to invite you.</p>
</form>`
}
