import type { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { sha256 } from '../../accounts/credential-secret.ts'
import { judgeCounted, signInAttempt } from '../../accounts/login-limits.ts'
import { usedUp } from '../../accounts/one-time-links.ts'
import { hashPassword, refuseGuessable, verifyPassword } from '../../accounts/passwords.ts'
import type { passwordByLinkInput } from '../../contract/accounts/members.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import {
  deleteInvitation,
  findInvitation,
  findInvitedUser,
  type InvitationRow,
  type InvitedUser,
} from '../../db/accounts/invitations.ts'
import { lockMembers, saveMembership } from '../../db/accounts/members.ts'
import { deleteLinksOfUser } from '../../db/accounts/one-time-links.ts'
import { findOrganisationById, keepOrganisation } from '../../db/accounts/organisations.ts'
import { insertUser, lockPassword, savePassword } from '../../db/accounts/users.ts'
import type { InTransaction } from '../../db/core/database.ts'
import type { Deps } from '../shared/operation.ts'

/** What the person who accepts has proved their identity with: the password of their account, or a first password. */
type Proof = { account: InvitedUser } | { firstPasswordHash: string }

/**
 * Makes the person who accepts an invitation a member. The link alone opens no account: people who have one must give
 * its password (S33). Of theirs, only password links are revoked, because those may come from an owner of another
 * organisation.
 *
 * @throws ServiceError `invalid_credentials` for a wrong password, or if the link has been used in the meantime;
 * `rate_limited` as at sign-in
 */
export async function joinOrganisation(
  invitation: InvitationRow,
  { token, password }: z.infer<typeof passwordByLinkInput>,
  visitor: Visitor,
  deps: Pick<Deps, 'database' | 'clock'>,
): Promise<void> {
  const { database, clock } = deps
  // Checked before looking for an account, and only against what the owner wrote: the answer must not reveal whether
  // there is an account (S33).
  const organisation = await findOrganisationById(database, invitation.organisationId)
  await refuseGuessable(password, { ...invitation, organisations: organisation ? [organisation.name] : [] })
  const proof = await proveIdentity(invitation, password, visitor, deps)
  await database.transaction().execute(async (transaction) => {
    await lockMembers(transaction, invitation.organisationId)
    // Before the person, as where members lose access.
    await keepOrganisation(transaction, invitation.organisationId)
    const at = clock.now()
    // The role may have changed, and the link may have been used or replaced.
    const present = await findInvitation(transaction, sha256(token), at)
    if (!present) throw usedUp('invitation')
    const { id, organisationId, role } = present
    const userId = await takeAccount(transaction, present, proof, at)
    await deleteInvitation(transaction, organisationId, id)
    await deleteLinksOfUser(transaction, userId)
    await saveMembership(transaction, { organisationId, userId, role })
    const entry = { organisationId, actorUserId: userId, actor: 'user' as const, details: { role }, at }
    await recordAudit(transaction, { ...entry, action: 'invitation.accept' })
  })
}

/** Judged, rate-limited and audited like a sign-in. */
async function proveIdentity(
  invitation: InvitationRow,
  password: string,
  { address }: Visitor,
  deps: Pick<Deps, 'database' | 'clock'>,
): Promise<Proof> {
  const proof = await judgeCounted<Proof>(deps, signInAttempt(address, invitation.emailKey), async () => {
    const account = await findInvitedUser(deps.database, invitation)
    if (!account || account.mayChoosePassword) return { right: { firstPasswordHash: await hashPassword(password) } }
    const matches = await verifyPassword(account.active ? account.passwordHash : null, password)
    if (matches) return { right: { account } }
    return { wrong: { action: 'sign-in.fail', userId: account.id, reason: 'wrong password for an invitation' } }
  })
  if (!proof) throw notTheirs()
  return proof
}

/**
 * Creates the account or sets its first password, if needed.
 * @returns the id of the account
 */
async function takeAccount(
  transaction: InTransaction,
  invitation: InvitationRow,
  proof: Proof,
  at: Date,
): Promise<string> {
  if ('account' in proof) {
    const { id, passwordHash } = proof.account
    // During the comparison, the password may have changed, or the user been deactivated.
    if ((await lockPassword(transaction, id))?.passwordHash !== passwordHash) throw notTheirs()
    return id
  }
  const passwordHash = proof.firstPasswordHash
  const { id, firstName, lastName, email, emailKey } = invitation
  const user = { id, firstName, lastName, email, emailKey, passwordHash, isAdministrator: false }
  if (await insertUser(transaction, user)) return id
  const taken = await findInvitedUser(transaction, invitation)
  // Locked before it is read again, so that no other organisation can add the person before the commit.
  if (taken) await lockPassword(transaction, taken.id)
  if (!taken || !(await findInvitedUser(transaction, invitation))?.mayChoosePassword) throw notTheirs()
  await savePassword(transaction, { id: taken.id, passwordHash, at })
  return taken.id
}

function notTheirs(): ServiceError {
  return new ServiceError(
    'invalid_credentials',
    'You have an account with this email already, and this is not its password. If you forgot it, or never chose one, ask an owner of your other organization or the people who run this service.',
  )
}
