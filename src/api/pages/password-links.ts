import type { FastifyInstance } from 'fastify'
import type { Visitor } from '../../accounts/caller.ts'
import { roleMeanings } from '../../contract/accounts/permissions.ts'
import { type Html, html } from '../../contract/primitives/html.ts'
import { acceptInvitation } from '../../operations/members/accept-invitation.ts'
import { type DescribedInvitation, describeInvitation } from '../../operations/members/describe-invitation.ts'
import { resetPassword } from '../../operations/sessions/reset-password.ts'
import type { Deps, Operation } from '../../operations/shared/operation.ts'
import { perform } from '../../operations/shared/perform.ts'
import { emailCookie } from './known-email.ts'
import { formFields, refuse, sendPage, visitorOf } from './page-answers.ts'

const hidden = { schema: { hide: true } }

interface PasswordPage {
  path: '/app/invitation' | '/app/reset'
  title: string
  operation: Operation<{ token: string; password: string }, { email: string }, Visitor>
  label: string
  /** Whether the password may be one that the person already has. */
  autocomplete: 'new-password' | 'on'
  submit: string
  note: string
  /** Where the page's script finds out what its link is for. */
  about?: '/app/invitation/about'
  /** The confirmation that the sign-in page then shows. */
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
    note: 'You sign in with the email address that was invited. If you have an account here with it, give the password you have, which stays as it is.',
    about: '/app/invitation/about',
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
        const { output } = await perform(operation, given, visitorOf(request), deps)
        reply.header('set-cookie', emailCookie(output.email))
        return reply.redirect(`/app/sign-in?${done}`, 303)
      } catch (error) {
        const problem = refuse(reply, error)
        return sendPage(reply, { title, problem, body: form(page, given.token) })
      }
    })
  }
  addAboutInvitation(pages, deps)
}

/** By POST, so that no server or log sees the token (S14). */
function addAboutInvitation(pages: FastifyInstance, deps: Deps): void {
  pages.post('/app/invitation/about', hidden, async (request, reply) => {
    const given = formFields(request, ['token'])
    try {
      const { output } = await perform(describeInvitation, given, visitorOf(request), deps)
      return reply.send({ about: inWords(output), ended: output.endedAt !== null })
    } catch (error) {
      return reply.send({ about: refuse(reply, error), ended: true })
    }
  })
}

function inWords({ email, organization, role, invitedBy, endedAt }: DescribedInvitation): string {
  const theRest = 'the people who run this service'
  if (endedAt !== null)
    return `This invitation of ${email}${organization === null ? '' : ` to ${organization}`} ended on ${dayOf.format(new Date(endedAt))}. Ask ${invitedBy ?? theRest} for a new one.`
  const inviting = `${invitedBy ?? capital(theRest)} invited ${email}`
  if (organization === null || role === null) return `${inviting} to help to run this service, as an administrator.`
  return `${inviting} to join ${organization} as ${role}: ${roleMeanings[role]}`
}

const dayOf = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function form({ path, label, autocomplete, submit, note, about }: PasswordPage, token?: string): Html {
  return html`${about !== undefined && html`<p id="about" data-from="${about}" aria-live="polite">Reading what the invitation is for…</p>`}
<noscript><p role="alert">This page needs a script to read the token in its link. Allow scripts for it.</p></noscript>
<form method="post" action="${path}">
<input type="hidden" name="token" id="token" value="${token}">
<label for="password">${label}</label>
<input id="password" name="password" type="password" autocomplete="${autocomplete}" minlength="12" maxlength="128" required>
<button type="submit">${submit}</button>
<p class="note">${note}</p>
</form>
<script src="/app/one-time-link.js"></script>`
}
