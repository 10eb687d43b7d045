import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../contract/primitives/html.ts'
import { limits } from '../../contract/primitives/limits.ts'
import { mailResetLink } from '../../operations/sessions/mail-reset-link.ts'
import type { Deps } from '../../operations/shared/operation.ts'
import { perform } from '../../operations/shared/perform.ts'
import { formFields, refuse, sendPage, visitorOf } from './page-answers.ts'

const hidden = { schema: { hide: true } }
const title = 'Forgot your password?'

/** The same page for everyone, whether or not the account exists (S14). */
export function addForgotPage(pages: FastifyInstance, deps: Deps): void {
  const body = (email?: string) => (deps.mailer ? form(email) : whomToAsk)

  pages.get('/app/forgot', hidden, async (_, reply) => sendPage(reply, { title, body: body() }))

  pages.post('/app/forgot', hidden, async (request, reply) => {
    const given = formFields(request, ['email'])
    try {
      await perform(mailResetLink, given, visitorOf(request), deps)
      return sendPage(reply, { title: 'Look into your mailbox', body: sent(given.email) })
    } catch (error) {
      const problem = refuse(reply, error)
      return sendPage(reply, { title, problem, body: body(given.email) })
    }
  })
}

const back = html`<p><a href="/app/sign-in">Back to Sign in</a></p>`

const whomToAsk = html`<p>This service cannot send mail. Ask an owner of your organization for a link to a new password. If you belong to
several organizations, or no owner can help, ask the people who run this service.</p>
${back}`

function form(email = ''): Html {
  return html`<form method="post" action="/app/forgot">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${email}">
<button type="submit">Mail me a link</button>
<p class="note">With the link you choose a new password.</p>
</form>
${back}`
}

function sent(email: string): Html {
  return html`<p role="status">If ${email} has an account, a link is on its way. It works for ${limits.resetLinkSeconds / 60} minutes.</p>
<p class="note">No mail? Look among unwanted mail, and check the address. An owner of your organization, or the people who run this
service, can give you a link, too.</p>
${back}`
}
