import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../contract/primitives/html.ts'
import { acceptInvitation } from '../../operations/members/accept-invitation.ts'
import type { Deps } from '../../operations/shared/operation.ts'
import { perform } from '../../operations/shared/perform.ts'
import { formFields, refuse, sendPage, visitorOf } from './page-answers.ts'

const hidden = { schema: { hide: true } }
const title = 'Accept the invitation'

/** The token is in the link's fragment, which browsers never send; a script copies it into the form (S14). */
export function addInvitationPage(pages: FastifyInstance, deps: Deps): void {
  pages.get('/app/invitation', hidden, async (_, reply) => sendPage(reply, { title, body: form() }))

  pages.post('/app/invitation', hidden, async (request, reply) => {
    const given = formFields(request, ['token', 'password'])
    try {
      await perform(acceptInvitation, given, visitorOf(request), deps)
      return reply.redirect('/app/sign-in', 303)
    } catch (error) {
      const problem = refuse(reply, error)
      return sendPage(reply, { title, problem, body: form(given.token) })
    }
  })
}

function form(token?: string): Html {
  return html`<noscript><p role="alert">This page needs a script to read the token in its link. Allow scripts for it.</p></noscript>
<form method="post" action="/app/invitation">
<input type="hidden" name="token" id="token" value="${token}">
<label for="password">Choose a password, at least 12 characters</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="128" required>
<button type="submit">Set the password</button>
</form>
<script src="/app/one-time-link.js"></script>`
}
