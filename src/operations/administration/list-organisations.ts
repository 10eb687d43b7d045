import { z } from 'zod'
import type { Administrator } from '../../accounts/caller.ts'
import { nameKey } from '../../accounts/name-key.ts'
import { listOrganisationsInput, organisationListOutput } from '../../contract/accounts/administration.ts'
import { listOrganisations as listRows } from '../../db/accounts/organisations.ts'
import { endPage, openCursor } from '../shared/list-cursor.ts'
import { defineOperation } from '../shared/operation.ts'
import { describeOrganisation } from '../shared/organisation-entry.ts'

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
    return { items: shown.map(describeOrganisation), nextCursor }
  },
})
