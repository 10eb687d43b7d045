import { nameKey } from '../../accounts/name-key.ts'
import { ServiceError } from '../../contract/service-error.ts'
import {
  findOrganisationById,
  findOrganisationByNameKey,
  type OrganisationRow,
} from '../../db/accounts/organisations.ts'
import type { Database } from '../../db/core/database.ts'
import { isUuid } from '../../db/runs/runs.ts'

/**
 * The organisation whose name or id an administrator gave.
 * @throws ServiceError `not_found`
 */
export async function requireOrganisation(database: Database, named: string): Promise<OrganisationRow> {
  const byId = isUuid(named) ? await findOrganisationById(database, named) : undefined
  const organisation = byId ?? (await findOrganisationByNameKey(database, nameKey(named)))
  if (organisation) return organisation
  throw new ServiceError(
    'not_found',
    `There is no organisation named ${JSON.stringify(named)}. Check the name in the list of organisations.`,
  )
}
