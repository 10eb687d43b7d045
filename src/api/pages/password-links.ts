import type { FastifyInstance } from 'fastify'
import type { Visitor } from '../../accounts/caller.ts'
import { type Html, html } from '../../contract/primitives/html.ts'
import { acceptInvitation } from '../../operations/members/accept-invitation.ts'
import { resetPassword } from '../../operations/sessions/reset-password.ts'
import type { Deps, Operation } from '../../operations/shared/operation.ts'
import { perform } from '../../operations/shared/perform.ts'
import { formFields, refuse, sendPage, visitorOf } from './page-answers.ts'

const hidden = { schema: { hide: true } }

interface PasswordPage {
  path: '/app/invitation' | '/app/reset'
  title: string
  operation: Operation<{ token: string; password: string }, undefined, Visitor>
  label: string
  /** Whether the password may be one that the person has already. */
  autocomplete: 'new-password' | 'on'
  submit: string
  note: string
  /** What the sign-in page then confirms. */
  done: 'invitation=accepted' | 'password=set'
}

const passwordPages: PasswordPage[] = [
  {
    path: '/app/invitation',
    title: 'Accept the invitation',
    operation: acceptInvitation,
    label: 'Choose a password, at least 12 characters',
    autocomplete: 'on',
    submit: 'Accept the invitation',
    note: 'If you have an account here with the e-mail address that was invited, give the password you have. It stays as it is.',
    done: 'invitation=accepted',
  },
  {
    path: '/app/reset',
    title: 'Choose a new password',
    operation: resetPassword,
    label: 'New password, at least 12 characters',
    autocomplete: 'new-password',
    submit: 'Set the new password',
    note: 'Every browser and API token of yours is signed out, and every assistant is disconnected.',
    done: 'password=set',
  },
]

/** The token is in the link's fragment, which browsers never send; a script copies it into the form (S14). */
export function addPasswordLinkPages(pages: FastifyInstance, deps: Deps): void {
  for (const page of passwordPages) {
    const { path, title, operation, done } = page
    pages.get(path, hidden, async (_, reply) => sendPage(reply, { title, body: form(page) }))

    pages.post(path, hidden, async (request, reply) => {
      const given = formFields(request, ['token', 'password'])
      try {
        await perform(operation, given, visitorOf(request), deps)
        return reply.redirect(`/app/sign-in?${done}`, 303)
      } catch (error) {
        const problem = refuse(reply, error)
        return sendPage(reply, { title, problem, body: form(page, given.token) })
      }
    })
  }
}

function form({ path, label, autocomplete, submit, note }: PasswordPage, token?: string): Html {
  return html`<noscript><p role="alert">This page needs a script to read the token in its link. Allow scripts for it.</p></noscript>
<form method="post" action="${path}">
<input type="hidden" name="token" id="token" value="${token}">
<label for="password">${label}</label>
<input id="password" name="password" type="password" autocomplete="${autocomplete}" minlength="12" maxlength="128" required>
<button type="submit">${submit}</button>
<p class="note">${note}</p>
</form>
<script src="/app/one-time-link.js"></script>`
}
