import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors, type default as Provider } from 'oidc-provider'
import { toolScope } from '../accounts/access-tokens.ts'
import type { SignedIn } from '../accounts/caller.ts'
import { confirmPerson } from '../accounts/people.ts'
import { signInPath } from '../accounts/return-to.ts'
import { requireSameOrigin } from '../accounts/same-origin.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { type Html, html, page } from '../contract/primitives/html.ts'
import { ServiceError } from '../contract/service-error.ts'
import { recordAudit } from '../db/accounts/audit.ts'
import { listMemberships } from '../db/accounts/sessions.ts'
import { saveConnection } from '../db/oauth/oauth-connections.ts'
import { type OauthDeps, oauthPaths } from './configuration.ts'
import { redirectHost, shownName } from './request-checks.ts'

export interface InteractionDeps extends OauthDeps {
  sessions: Sessions
}

interface ConsentRequest {
  clientId: string
  clientName: string
  redirectUri: string
}

/** The consent page: asks the signed-in person whether an assistant may read. */
export function addInteractions(app: FastifyInstance, provider: Provider, deps: InteractionDeps): void {
  const path = `${oauthPaths.interaction}/:uid`
  const { siteUrl } = deps.settings

  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    const consent = await readConsent(provider, request, reply)
    const signedIn = await deps.sessions.find(request.headers.cookie)
    if (!signedIn) return reply.redirect(signInPath(request.url.split('?')[0] ?? ''), 303)
    return sendConsent(reply, consent, signedIn, deps)
  })

  app.post(path, { schema: { hide: true } }, async (request, reply) => {
    requireSameOrigin(request, siteUrl)
    const consent = await readConsent(provider, request, reply)
    const signedIn = await deps.sessions.find(request.headers.cookie)
    if (!signedIn) return reply.redirect(signInPath(request.url.split('?')[0] ?? ''), 303)
    const { decision, organisation, user } = (request.body ?? {}) as Record<string, string | undefined>
    if (decision !== 'allow')
      return finish(provider, request, reply, {
        error: 'access_denied',
        error_description: 'The user denied access.',
      })
    // Another person may have signed in on this browser after the page was shown.
    if (user !== signedIn.user.id)
      return sendConsent(
        reply.code(409),
        consent,
        signedIn,
        deps,
        'Another user has signed in since this page was shown. Please check it again.',
      )
    const chosen = (await choices(deps, signedIn)).find(({ organisationId }) => organisationId === organisation)
    if (!chosen) return sendConsent(reply.code(422), consent, signedIn, deps, 'Choose an organisation.')
    const grantId = await allow(provider, deps, consent, signedIn, chosen.organisationId)
    return finish(provider, request, reply, {
      login: { accountId: signedIn.user.id, remember: false },
      consent: { grantId },
    })
  })
}

/** The library takes Node's raw request and response; it reads only the cookie and the URL. */
async function readConsent(provider: Provider, request: FastifyRequest, reply: FastifyReply): Promise<ConsentRequest> {
  const { uid } = request.params as { uid: string }
  const details = await provider
    .interactionDetails(request.raw as IncomingMessage, reply.raw)
    .catch((error: unknown) => {
      if (!(error instanceof errors.SessionNotFound)) throw error
    })
  const client = details && (await provider.Client.find(String(details.params.client_id)))
  if (!details || details.uid !== uid || !client)
    throw new ServiceError('not_found', 'This connection request has expired. Start again in the assistant.')
  return {
    clientId: client.clientId,
    clientName: shownName(client.clientName),
    redirectUri: String(details.params.redirect_uri),
  }
}

async function choices({ database }: OauthDeps, { user, generation }: SignedIn) {
  const memberships = await listMemberships(database, { userId: user.id, generation })
  return memberships.filter(({ storeMigrationEnabled, isCurrent }) => storeMigrationEnabled && isCurrent)
}

async function allow(
  provider: Provider,
  { database, clock, settings }: OauthDeps,
  { clientId, clientName, redirectUri }: ConsentRequest,
  signedIn: SignedIn,
  organisationId: string,
): Promise<string> {
  const { user, generation } = signedIn
  const userId = user.id
  const grant = new provider.Grant({ accountId: userId, clientId })
  // Both are needed: the authorisation checks the first, the token the second.
  grant.addOIDCScope(toolScope)
  grant.addResourceScope(settings.siteUrl, toolScope)
  const grantId = await grant.save()
  const connectedAt = clock.now()
  await database.transaction().execute(async (tx) => {
    await confirmPerson(tx, signedIn)
    const connection = { grantId, organisationId, userId, clientId, clientName, connectedAt, generation }
    await saveConnection(tx, { ...connection, redirectHost: redirectHost(redirectUri) })
    const details = { oauthClientId: clientId }
    await recordAudit(tx, {
      organisationId,
      actorUserId: userId,
      actor: 'user',
      action: 'assistant.connect',
      details,
      at: connectedAt,
    })
  })
  return grantId
}

async function finish(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  result: Parameters<Provider['interactionResult']>[2],
): Promise<FastifyReply> {
  const returnTo = await provider.interactionResult(request.raw as IncomingMessage, reply.raw, result, {
    mergeWithLastSubmission: false,
  })
  return reply.redirect(returnTo, 303)
}

async function sendConsent(
  reply: FastifyReply,
  { clientId, clientName, redirectUri }: ConsentRequest,
  signedIn: SignedIn,
  deps: OauthDeps,
  problem?: string,
): Promise<FastifyReply> {
  const organisations = await choices(deps, signedIn)
  const { origin } = new URL(redirectUri)
  // Browsers apply form-action to redirects too, and Allow redirects to the client (S15).
  const policy = `default-src 'none'; base-uri 'none'; form-action 'self' ${origin}; frame-ancestors 'none'; style-src 'self'`
  reply.header('content-security-policy', policy)
  const { user } = signedIn
  const body = html`<p>An unverified application that calls itself <q>${clientName}</q> wants to read on your behalf. It will be sent to:</p>
<p><strong class="redirect-host">${redirectHost(redirectUri)}</strong></p>
${clientId.startsWith('https://') && html`<p>It describes itself at ${redirectHost(clientId)}.</p>`}
<p>You are signed in as ${user.firstName} ${user.lastName}, ${user.email}.</p>
<form method="post">
<input type="hidden" name="user" value="${user.id}">
${organisationChoice(organisations)}
<p>With your role, it may read the connected stores and their catalogues, migrations, and their issues and differences. Of customers, orders and codes it sees only ids and counts. It cannot start or change anything.</p>
<button type="submit" name="decision" value="deny" autofocus>Deny</button>
${organisations.length > 0 && html`<button type="submit" name="decision" value="allow">Allow</button>`}
</form>`
  return reply
    .type('text/html; charset=utf-8')
    .send(page({ title: 'Connect an assistant', problem: organisations.length > 0 ? problem : nothingToRead, body }))
}

const nothingToRead = 'None of your organisations has Store Migration enabled, so there is nothing to read.'

function organisationChoice(organisations: { organisationId: string; organisationName: string }[]): Html {
  const [only] = organisations
  if (!only) return html``
  if (organisations.length === 1)
    return html`<p>Organisation: ${only.organisationName}</p><input type="hidden" name="organisation" value="${only.organisationId}">`
  const each = organisations.map(
    ({ organisationId, organisationName }) =>
      html`<p><label><input type="radio" name="organisation" value="${organisationId}" required> ${organisationName}</label></p>`,
  )
  return html`<fieldset><legend>Organisation</legend>${each}</fieldset>`
}
