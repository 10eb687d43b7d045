import type { FastifyInstance } from 'fastify'
import { signInPath } from '../accounts/return-to.ts'
import { requireSameOrigin } from '../accounts/same-origin.ts'
import { html, page } from '../contract/primitives/html.ts'
import { recordAudit } from '../db/accounts/audit.ts'
import { findConnection, listConnections } from '../db/oauth/oauth-connections.ts'
import { deleteGrant } from '../db/oauth/oauth-records.ts'
import type { InteractionDeps } from './interactions.ts'

export const assistantsPath = '/app/assistants'

/** The assistants a person has connected. Disconnecting ends access with the next call, whatever tokens exist. */
export function addConnectedClients(app: FastifyInstance, deps: InteractionDeps): void {
  const { database, sessions, clock, settings } = deps

  app.get(assistantsPath, { schema: { hide: true } }, async (request, reply) => {
    const signedIn = await sessions.find(request.headers.cookie)
    if (!signedIn) return reply.redirect(signInPath(assistantsPath), 303)
    const connections = await listConnections(database, signedIn.user.id)
    const rows = connections.map(
      (
        one,
      ) => html`<li><q>${one.clientName}</q> at ${one.redirectHost}, reads ${one.organisationName} since ${day(one.connectedAt)}; last used ${one.lastUsedAt ? day(one.lastUsedAt) : 'never'}
<form method="post" action="${assistantsPath}/disconnect"><input type="hidden" name="connection" value="${one.grantId}"><button type="submit">Disconnect</button></form></li>`,
    )
    const body = rows.length > 0 ? html`<ul>${rows}</ul>` : html`<p>No assistant is connected.</p>`
    return reply.type('text/html; charset=utf-8').send(page({ title: 'Connected assistants', body }))
  })

  app.post(`${assistantsPath}/disconnect`, { schema: { hide: true } }, async (request, reply) => {
    requireSameOrigin(request, settings.siteUrl)
    const signedIn = await sessions.find(request.headers.cookie)
    if (!signedIn) return reply.redirect(signInPath(assistantsPath), 303)
    const { connection = '' } = (request.body ?? {}) as { connection?: string }
    const { id: userId } = signedIn.user
    const found = await findConnection(database, userId, connection)
    // Another person's connection and one already gone look the same.
    if (found)
      await database.transaction().execute(async (tx) => {
        await deleteGrant(tx, connection)
        const { organisationId, clientId } = found
        const details = { oauthClientId: clientId }
        const entry = { organisationId, actorUserId: userId, actor: 'user' as const, details, at: clock.now() }
        await recordAudit(tx, { ...entry, action: 'assistant.disconnect' })
      })
    return reply.redirect(assistantsPath, 303)
  })
}

function day(at: Date): string {
  return at.toISOString().slice(0, 10)
}
