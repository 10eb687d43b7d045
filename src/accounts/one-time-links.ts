import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { limits } from '../contract/primitives/limits.ts'
import { ServiceError } from '../contract/service-error.ts'
import {
  deleteLinksOfUser,
  insertLink,
  isLinkValid,
  type LinkPurpose,
  takeLink,
} from '../db/accounts/one-time-links.ts'
import type { Database, InTransaction } from '../db/core/database.ts'
import { sha256 } from './credential-secret.ts'

interface Deps {
  database: Database
  clock: Clock
}

const lifetimes: Record<LinkPurpose, number> = {
  'first-administrator': limits.firstAdministratorLinkSeconds,
  invitation: limits.invitationSeconds,
}

/** 256 random bits for one use by one person. They go into the fragment of a URL, which no server or log sees (S14). */
export async function newLinkToken(
  database: Database | InTransaction,
  clock: Clock,
  link: { purpose: LinkPurpose; userId: string | null },
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(clock.now().getTime() + lifetimes[link.purpose] * 1000)
  await insertLink(database, { tokenHash: sha256(token), ...link, expiresAt })
  return { token, expiresAt }
}

/** Earlier links of the user become void. @returns the URL of the page where the invited person chooses a password. */
export async function invite(
  transaction: InTransaction,
  userId: string,
  { clock, settings }: { clock: Clock; settings: { siteUrl: string } },
): Promise<{ link: string; expiresAt: string }> {
  await deleteLinksOfUser(transaction, userId)
  const { token, expiresAt } = await newLinkToken(transaction, clock, { purpose: 'invitation', userId })
  return { link: `${settings.siteUrl}/app/invitation#${token}`, expiresAt: expiresAt.toISOString() }
}

/** Checks a link before the expensive password hash. @throws ServiceError `invalid_credentials`. */
export async function requireLink({ database, clock }: Deps, purpose: LinkPurpose, token: string): Promise<void> {
  if (!(await isLinkValid(database, { tokenHash: sha256(token), purpose, at: clock.now() }))) throw usedUp(purpose)
}

/** @returns the id of the invited user. @throws ServiceError `invalid_credentials` when the link was used or has expired. */
export async function consumeLink(
  transaction: InTransaction,
  clock: Clock,
  { purpose, token }: { purpose: LinkPurpose; token: string },
): Promise<string | null> {
  const link = await takeLink(transaction, { tokenHash: sha256(token), purpose, at: clock.now() })
  if (!link) throw usedUp(purpose)
  return link.userId
}

const remedies: Record<LinkPurpose, string> = {
  'first-administrator': 'Start the service again for a new one, or use "storeferry admin create-administrator".',
  invitation: 'Ask the person who invited you for a new one.',
}

function usedUp(purpose: LinkPurpose): ServiceError {
  return new ServiceError('invalid_credentials', `This link has expired or was already used. ${remedies[purpose]}`)
}
