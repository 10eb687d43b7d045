import { z } from 'zod'
import type { Administrator } from '../../accounts/caller.ts'
import { nameKey } from '../../accounts/name-key.ts'
import { listOrganisationsInput, organisationListOutput } from '../../contract/administration.ts'
import { listOrganisations as listRows, type OrganisationOverview } from '../../db/accounts/organisations.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { defineOperation } from '../shared/operation.ts'

type Output = z.infer<typeof organisationListOutput>

type Input = z.infer<typeof listOrganisationsInput>
const position = z.strictObject({ nameKey: z.string() })

export const listOrganisations = defineOperation<Input, Output, Administrator>({
  name: 'list-organisations',
  summary:
    'Organisations by name, with their stores and API credentials: all, or those allowed to use Store Migration.',
  input: listOrganisationsInput,
  output: organisationListOutput,
  async run({ limit, cursor, ...filters }, _, { database, keyring }) {
    const cursorScope = { list: 'organisations', organisationId: '', filters }
    const after = openCursor(keyring, cursorScope, position, cursor)
    const text = filters.text === undefined ? undefined : nameKey(filters.text)
    const rows = await listRows(database, { ...filters, text }, { after: after?.nameKey ?? null, limit: limit + 1 })
    const { shown, nextCursor } = endPage(keyring, cursorScope, rows, {
      limit,
      positionOf: ({ nameKey }) => ({ nameKey }),
    })
    return { items: shown.map(describe), nextCursor }
  },
})

function describe(row: OrganisationOverview): Output['items'][number] {
  const { id, name, createdAt, storeMigrationEnabled, stores } = row
  return {
    organisationId: id,
    name,
    createdAt: createdAt.toISOString(),
    storeMigrationEnabled,
    stores,
    credential: describeCredential(row),
  }
}

function describeCredential({ clientId, lastFour, secretVersion, credentialEnabled }: OrganisationOverview) {
  // All four come from the same row, if there is one.
  if (clientId === null || lastFour === null || secretVersion === null) return null
  return {
    clientId,
    lastFour,
    version: secretVersion,
    state: credentialEnabled ? ('enabled' as const) : ('disabled' as const),
  }
}
