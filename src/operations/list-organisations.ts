import { z } from 'zod'
import type { Administrator } from '../accounts/caller.ts'
import { organisationListOutput } from '../contract/administration.ts'
import { listOrganisations as listRows, type OrganisationOverview } from '../db/organisations.ts'
import { defineOperation } from './operation.ts'

type Output = z.infer<typeof organisationListOutput>

export const listOrganisations = defineOperation<Record<string, never>, Output, Administrator>({
  name: 'list-organisations',
  summary: 'Every organisation with its stores and its API credential.',
  input: z.strictObject({}),
  output: organisationListOutput,
  async run(_, __, { database }) {
    return { items: (await listRows(database)).map(describe) }
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
  // The four come from one row or from none.
  if (clientId === null || lastFour === null || secretVersion === null) return null
  return {
    clientId,
    lastFour,
    version: secretVersion,
    state: credentialEnabled ? ('enabled' as const) : ('disabled' as const),
  }
}
