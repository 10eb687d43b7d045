import type { FastifyInstance, FastifyReply } from 'fastify'
import type { SignedIn, Visitor } from '../../accounts/caller.ts'
import { endedSessionCookie } from '../../accounts/session-cookie.ts'
import { type Html, html } from '../../contract/primitives/html.ts'
import { changePassword } from '../../operations/sessions/change-password.ts'
import { getSession } from '../../operations/sessions/get-session.ts'
import { signOut } from '../../operations/sessions/sign-out.ts'
import { signOutEverywhere } from '../../operations/sessions/sign-out-everywhere.ts'
import type { Deps } from '../../operations/shared/operation.ts'
import { perform } from '../../operations/shared/perform.ts'
import { formFields, refuse, sendPage, signedInOrSent } from './page-answers.ts'

const hidden = { schema: { hide: true } }

export function addAccountPage(pages: FastifyInstance, deps: Deps): void {
  pages.get('/app/profile', hidden, async (request, reply) => {
    const by = await signedInOrSent(request, reply, deps)
    if (!by) return reply
    const done = (request.query as Record<string, string | undefined>).password === 'changed'
    return sendAccount(reply, by, deps, { notice: done ? 'Your password was changed.' : undefined })
  })

  pages.post('/app/password', hidden, async (request, reply) => {
    const by = await signedInOrSent(request, reply, deps)
    if (!by) return reply
    const { current, wanted } = formFields(request, ['current', 'wanted'])
    try {
      await perform(changePassword, { currentPassword: current, newPassword: wanted }, by, deps)
      return reply.redirect('/app/profile?password=changed', 303)
    } catch (error) {
      const problem = refuse(reply, error)
      return sendAccount(reply, by, deps, { problem })
    }
  })

  for (const [path, operation] of [
    ['/app/sign-out', signOut],
    ['/app/sign-out-everywhere', signOutEverywhere],
  ] as const) {
    pages.post(path, hidden, async (request, reply) => {
      const by = await deps.sessions.find(request.headers.cookie)
      if (by) await perform<Record<string, never>, unknown, SignedIn>(operation, {}, by, deps)
      return reply.header('set-cookie', endedSessionCookie()).redirect('/app/sign-in', 303)
    })
  }
}

interface Said {
  notice?: string | undefined
  problem?: string | undefined
}

async function sendAccount(
  reply: FastifyReply,
  by: SignedIn & Visitor,
  deps: Deps,
  { notice, problem }: Said,
): Promise<FastifyReply> {
  const { output } = await perform(getSession, {}, by, deps)
  const organisations = output.organizations.map(({ name, role }) => html`<li>${name} (${role})</li>`)
  const { user } = by
  const body = html`${notice !== undefined && html`<p role="status">${notice}</p>`}
<p>Signed in as ${user.firstName} ${user.lastName}, ${user.email}.</p>
${user.isAdministrator && html`<p>You are an administrator of the platform.</p>`}
${organisations.length > 0 && html`<h2>Organizations</h2><ul>${organisations}</ul>`}
${passwordForm}
<h2>Sign out</h2>
<form method="post" action="/app/sign-out"><button type="submit">Sign out</button></form>
<form method="post" action="/app/sign-out-everywhere"><button type="submit" class="quiet">Sign out everywhere</button></form>
<p><a href="/app">Back to Home</a></p>`
  return sendPage(reply, { title: 'Your profile', problem, body })
}

const passwordForm: Html = html`<h2>Change the password</h2>
<form method="post" action="/app/password">
<label for="current">Current password</label>
<input id="current" name="current" type="password" autocomplete="current-password" required>
<label for="wanted">New password, at least 12 characters</label>
<input id="wanted" name="wanted" type="password" autocomplete="new-password" minlength="12" maxlength="128" required>
<button type="submit">Change the password</button>
<p>You stay signed in here. Every other browser and every bearer token of yours is signed out.</p>
</form>`
