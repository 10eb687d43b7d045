import { z } from 'zod'
import type { SignedIn } from '../../accounts/caller.ts'
import { stillCounting } from '../../accounts/sessions.ts'
import { listSessionsInput, sessionPage } from '../../contract/accounts/session.ts'
import { type ListedSession, listSessions as listRows } from '../../db/accounts/sessions.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { defineOperation } from '../shared/operation.ts'

type Input = z.infer<typeof listSessionsInput>
type Page = z.infer<typeof sessionPage>
const position = z.strictObject({ startedAt: z.coerce.date(), id: z.string() })

export const listSessions = defineOperation<Input, Page, SignedIn>({
  name: 'list-sessions',
  summary: 'Where the signed-in person is signed in, newest first.',
  input: listSessionsInput,
  output: sessionPage,
  async run({ limit, cursor }, { user: { id: userId }, sessionHash }, { database, keyring, clock }) {
    const cursorScope = { list: 'sessions', organisationId: '', filters: { userId } }
    const after = openCursor(keyring, cursorScope, position, cursor)
    const page = { after, limit: limit + 1 }
    const rows = await listRows(database, { userId, sessionHash }, stillCounting(clock), page)
    const positionOf = ({ startedAt, id }: ListedSession) => ({ startedAt, id })
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, { limit, positionOf })
    return { items: shown.map(describe), nextCursor }
  },
})

function describe({ id, startedAt, seenAt, address, agent, isCurrent }: ListedSession): Page['items'][number] {
  const times = { startedAt: startedAt.toISOString(), lastSeenAt: seenAt.toISOString() }
  return { id, ...times, address, agent, current: isCurrent }
}
