import { z } from 'zod'
import type { SignedIn } from '../../accounts/caller.ts'
import { tokenListInput, tokenPage } from '../../contract/accounts/tokens.ts'
import { listUsableTokens, type UsableToken } from '../../db/accounts/bearer-tokens.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { defineOperation } from '../shared/operation.ts'

const position = z.strictObject({ issuedAt: z.string(), id: z.string() })

export const listTokens = defineOperation<z.infer<typeof tokenListInput>, z.infer<typeof tokenPage>, SignedIn>({
  name: 'list-tokens',
  summary: 'The bearer tokens that speak for the signed-in user, newest first. End one that you do not recognise.',
  input: tokenListInput,
  output: tokenPage,
  async run({ limit, cursor }, { user }, { database, keyring, clock }) {
    const cursorScope = { list: 'tokens', organisationId: '', filters: { userId: user.id } }
    const after = openCursor(keyring, cursorScope, position, cursor)
    const rows = await listUsableTokens(database, user.id, { now: clock.now(), after, limit: limit + 1 })
    const positionOf = ({ issuedAt, id }: UsableToken) => ({ issuedAt: issuedAt.toISOString(), id })
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, { limit, positionOf })
    return { items: shown.map(describe), nextCursor }
  },
})

function describe({ id, organisationId, organisationName, address, issuedAt, expiresAt }: UsableToken) {
  const organisation = { id: organisationId, name: organisationName }
  return { id, organisation, address, issuedAt: issuedAt.toISOString(), expiresAt: expiresAt.toISOString() }
}
