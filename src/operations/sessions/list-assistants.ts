import { z } from 'zod'
import type { SignedIn } from '../../accounts/caller.ts'
import { assistantPage, listAssistantsInput } from '../../contract/accounts/session.ts'
import { type ConnectedClient, listConnections } from '../../db/oauth/oauth-connections.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { defineOperation } from '../shared/operation.ts'

type Input = z.infer<typeof listAssistantsInput>
type Page = z.infer<typeof assistantPage>
const position = z.strictObject({ connectedAt: z.coerce.date(), grantId: z.string() })

export const listAssistants = defineOperation<Input, Page, SignedIn>({
  name: 'list-assistants',
  summary: 'The assistants that may read on behalf of the signed-in person, newest first.',
  input: listAssistantsInput,
  output: assistantPage,
  async run({ limit, cursor }, { user: { id: userId } }, { database, keyring }) {
    const cursorScope = { list: 'assistants', organisationId: '', filters: { userId } }
    const after = openCursor(keyring, cursorScope, position, cursor)
    const rows = await listConnections(database, userId, { after, limit: limit + 1 })
    const positionOf = ({ connectedAt, grantId }: ConnectedClient) => ({ connectedAt, grantId })
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, { limit, positionOf })
    return { items: shown.map(describe), nextCursor }
  },
})

function describe(connection: ConnectedClient): Page['items'][number] {
  const { grantId, clientName, redirectHost, organisationName, connectedAt, lastUsedAt } = connection
  return {
    id: grantId,
    name: clientName,
    host: redirectHost,
    organization: organisationName,
    connectedAt: connectedAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}
