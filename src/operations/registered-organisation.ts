import { nameKey } from '../accounts/name-key.ts'
import { ServiceError } from '../contract/service-error.ts'
import type { Database } from '../db/database.ts'
import { findOrganisationByNameKey, type OrganisationRow } from '../db/organisations.ts'

/** The organisation an administrator names. @throws ServiceError `not_found`. */
export async function requireOrganisation(database: Database, name: string): Promise<OrganisationRow> {
  const organisation = await findOrganisationByNameKey(database, nameKey(name))
  if (organisation) return organisation
  throw new ServiceError('not_found', `There is no organisation named ${JSON.stringify(name)}. Create it first.`)
}
