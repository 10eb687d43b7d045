import type { OrganisationEntry } from '../../contract/accounts/administration.ts'
import type { OrganisationOverview } from '../../db/accounts/organisations.ts'

/** An organisation as returned to administrators. */
export function describeOrganisation(row: OrganisationOverview): OrganisationEntry {
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
  // All of these come from one row, if there is one.
  if (clientId === null || lastFour === null || secretVersion === null) return null
  return {
    clientId,
    lastFour,
    version: secretVersion,
    state: credentialEnabled ? ('enabled' as const) : ('disabled' as const),
  }
}
