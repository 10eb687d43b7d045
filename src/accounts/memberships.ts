import { ServiceError } from '../contract/service-error.ts'
import { listMemberships } from '../db/accounts/sessions.ts'
import type { Database } from '../db/core/database.ts'
import type { Member, SignedIn } from './caller.ts'

/** Finds the membership that a request from the portal uses, read for this request. */
export interface Memberships {
  /**
   * @param requestedId the organisation's id; optional for a member of just one
   * @throws ServiceError `forbidden`, whether or not the organisation exists, or `store_migration_disabled`
   */
  choose(signedIn: SignedIn, requestedId: string | undefined): Promise<Member>
}

export function createMemberships({ database }: { database: Database }): Memberships {
  async function choose({ user, generation }: SignedIn, requestedId: string | undefined): Promise<Member> {
    const userId = user.id
    const memberships = await listMemberships(database, { userId, generation })
    if (requestedId === undefined && memberships.length > 1) throw severalOrganisations()
    const chosen = memberships.find(({ organisationId }) => requestedId === undefined || organisationId === requestedId)
    if (!chosen) throw new ServiceError('forbidden', 'You are not a member of this organisation.')
    const { organisationId, role, storeMigrationEnabled, isCurrent } = chosen
    if (!storeMigrationEnabled) {
      throw new ServiceError('store_migration_disabled', 'Store Migration is not enabled for this organisation.')
    }
    if (!isCurrent) throw addedAgain()
    return { userId, organisationId, role }
  }
  return { choose }
}

function addedAgain(): ServiceError {
  return new ServiceError(
    'forbidden',
    'Your access to this organisation ended and was given again since you signed in. Sign out, then sign in again.',
  )
}

function severalOrganisations(): ServiceError {
  return new ServiceError(
    'malformed_request',
    'You are a member of several organisations: send the id of one in the header Storeferry-Organization.',
  )
}
