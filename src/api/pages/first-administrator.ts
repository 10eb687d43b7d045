import type { FastifyInstance } from 'fastify'
import { html } from '../../contract/primitives/html.ts'
import { claimFirstAdministrator } from '../../operations/administration/claim-first-administrator.ts'
import type { Deps } from '../../operations/shared/operation.ts'
import { perform } from '../../operations/shared/perform.ts'
import { emailCookie } from './known-email.ts'
import { formFields, refuse, sendPage, visitorOf } from './page-answers.ts'

const hidden = { schema: { hide: true } }
const title = 'Create the first administrator'
const names = ['token', 'firstName', 'lastName', 'email', 'password'] as const
type Given = Record<(typeof names)[number], string>

/** The token is in the link's fragment, which browsers never send; a script copies it into the form (S14). */
export function addFirstAdministratorPage(pages: FastifyInstance, deps: Deps): void {
  pages.get('/app/first-administrator', hidden, async (_, reply) => sendPage(reply, { title, body: form() }))

  pages.post('/app/first-administrator', hidden, async (request, reply) => {
    const given = formFields(request, names)
    try {
      const { output } = await perform(claimFirstAdministrator, given, visitorOf(request), deps)
      reply.header('set-cookie', emailCookie(output.email))
      return reply.redirect('/app/sign-in?administrator=created', 303)
    } catch (error) {
      const problem = refuse(reply, error)
      return sendPage(reply, { title, problem, body: form(given) })
    }
  })
}

function form({ token, firstName, lastName, email }: Partial<Given> = {}) {
  return html`<noscript><p role="alert">This page needs a script to read the token in its link. Allow scripts for it, or use
“storeferry admin create-administrator”.</p></noscript>
<form method="post" action="/app/first-administrator">
<input type="hidden" name="token" id="token" value="${token}">
<label for="firstName">First name</label>
<input id="firstName" name="firstName" autocomplete="given-name" required value="${firstName}">
<label for="lastName">Last name</label>
<input id="lastName" name="lastName" autocomplete="family-name" required value="${lastName}">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${email}">
<label for="password">Password, at least 12 characters</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="128" required>
<button type="submit">Create the administrator</button>
</form>
<script src="/app/one-time-link.js"></script>`
}
