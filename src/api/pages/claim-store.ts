import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, SignedIn, Visitor } from '../../accounts/caller.ts'
import { signInPath } from '../../accounts/return-to.ts'
import { type Html, html } from '../../contract/primitives/html.ts'
import { limits } from '../../contract/primitives/limits.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { reauthenticate } from '../../operations/sessions/reauthenticate.ts'
import type { Deps } from '../../operations/shared/operation.ts'
import { perform } from '../../operations/shared/perform.ts'
import { claimStore } from '../../operations/stores/claim-store.ts'
import { describeInstallation } from '../../operations/stores/describe-installation.ts'
import { formFields, refuse, sendPage, visitorOf } from './page-answers.ts'

export const claimPath = '/app/claim-store'
const hidden = { schema: { hide: true } }
const title = 'Connect a store'

/**
 * Where an owner claims a store that installed the app (S1). Unlike the tokens of other links, the key is in the query:
 * it has to survive the sign-in, and a reader of our addresses has seen the signed payload, too, which is worth a key.
 */
export function addClaimPage(pages: FastifyInstance, deps: Deps): void {
  pages.get(claimPath, hidden, async (request, reply) => {
    const { key } = request.query as Record<string, unknown>
    return showForm(request, reply, typeof key === 'string' ? key : '', deps)
  })

  pages.post(claimPath, hidden, async (request, reply) => {
    const given = formFields(request, ['key', 'organisation', 'currentPassword', 'code'])
    try {
      const signedIn = await deps.sessions.find(request.headers.cookie)
      if (!signedIn) return reply.redirect(signInTo(given.key), 303)
      await claim(request, given, signedIn, deps)
      return reply.redirect(`/app/stores?org=${encodeURIComponent(given.organisation)}`, 303)
    } catch (error) {
      const why = refuse(reply, error)
      const late = error instanceof ServiceError && error.code === 'reauthentication_required'
      const problem = late ? 'Give your password again.' : why
      return showForm(request, reply, given.key, deps, { problem, organisation: given.organisation })
    }
  })
}

function signInTo(key: string): string {
  return signInPath(`${claimPath}?key=${encodeURIComponent(key)}`)
}

async function claim(
  request: FastifyRequest,
  { key, organisation, currentPassword, code }: Record<'key' | 'organisation' | 'currentPassword' | 'code', string>,
  signedIn: SignedIn,
  deps: Deps,
): Promise<void> {
  let { provedAt } = signedIn
  if (currentPassword !== '') {
    const person: SignedIn & Visitor = { ...signedIn, ...visitorOf(request) }
    await perform(reauthenticate, { currentPassword, ...(code !== '' && { code }) }, person, deps)
    provedAt = deps.clock.now()
  }
  const member = await deps.memberships.choose(signedIn, organisation)
  const caller: Caller = { ...member, sessionHash: signedIn.sessionHash, provedAt }
  await perform(claimStore, { key }, caller, deps)
}

async function showForm(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  deps: Deps,
  { problem, organisation }: { problem?: string; organisation?: string } = {},
): Promise<FastifyReply> {
  const signedIn = await deps.sessions.find(request.headers.cookie)
  if (!signedIn) return reply.redirect(signInTo(key), 303)
  try {
    const { output } = await perform(describeInstallation, { key }, signedIn, deps)
    if (output.organisations.length === 0) return sendPage(reply.code(403), { title, problem: ownersOnly, body: home })
    const needsPassword = deps.clock.now().getTime() - signedIn.provedAt.getTime() >= limits.proofSeconds * 1000
    return sendPage(reply, { title, problem, body: form(key, { ...output, organisation }, signedIn, needsPassword) })
  } catch (error) {
    // What was wrong before explains more than that the link has ended since.
    const why = refuse(reply, error)
    return sendPage(reply, { title, problem: problem ?? why, body: home })
  }
}

const ownersOnly =
  'Only an owner of an organization can connect a store. Ask an owner of yours to install the app, or to sign in here and open the app in the control panel of the store.'
const home = html`<p><a href="/app">Go to Home</a></p>`

interface Described {
  hash: string
  name: string
  domain: string
  missingScopes: string[]
  organisations: { id: string; name: string }[]
  /** The one that was chosen before a refusal. */
  organisation: string | undefined
}

function form(key: string, store: Described, { user, hasSecondStep }: SignedIn, needsPassword: boolean): Html {
  return html`<p>The app was installed in this store. Connect it only if it is yours or your client’s.</p>
<dl>
<dt>Store</dt><dd>${store.name}</dd>
<dt>Domain</dt><dd>${store.domain}</dd>
<dt>Store hash</dt><dd>${store.hash}</dd>
</dl>
${store.missingScopes.length > 0 && missing(store.missingScopes)}
<p>You are signed in as ${user.firstName} ${user.lastName}, ${user.email}.</p>
<form method="post" action="${claimPath}">
<input type="hidden" name="key" value="${key}">
${organisationChoice(store)}
${needsPassword && proof(hasSecondStep)}
<button type="submit">Connect the store</button>
</form>`
}

function missing(scopes: string[]): Html {
  return html`<p class="note">The app may not read everything that a copy needs: ${scopes.join(', ')}. The people who run this service can
add these scopes to the app.</p>`
}

function organisationChoice({ organisations, organisation }: Described): Html {
  const [only] = organisations
  if (only && organisations.length === 1)
    return html`<p>It will belong to ${only.name}.</p><input type="hidden" name="organisation" value="${only.id}">`
  const each = organisations.map(
    ({ id, name }) =>
      html`<p><label><input type="radio" name="organisation" value="${id}" required${id === organisation && html` checked`}> ${name}</label></p>`,
  )
  return html`<fieldset><legend>Organization</legend>${each}</fieldset>`
}

/** The page has no dialog for the password, as the portal has (S14). */
function proof(hasSecondStep: boolean): Html {
  return html`<label for="currentPassword">Your password, which you last gave more than 15 minutes ago</label>
<input id="currentPassword" name="currentPassword" type="password" autocomplete="current-password" required>
${
  hasSecondStep &&
  html`<label for="code">Code of your authenticator app, or a recovery code</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="100" required>`
}`
}
