import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { limits } from '../contract/primitives/limits.ts'
import { ServiceError } from '../contract/service-error.ts'
import {
  countLinks,
  deleteLinksOfUser,
  insertLink,
  isLinkValid,
  type LinkPurpose,
  type TakenLink,
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
  reset: limits.resetLinkSeconds,
  'second-step': limits.secondStepSeconds,
}

interface NewLink {
  purpose: LinkPurpose
  userId: string | null
  /** The link is revoked when the membership in this organisation ends. Absent: the link belongs to no organisation. */
  organisationId?: string
}

/**
 * 256 random bits, valid once and for one person. The token goes into the fragment of a URL, which no server or log
 * sees (S14).
 */
export async function newLinkToken(
  database: Database | InTransaction,
  clock: Clock,
  link: NewLink,
): Promise<{ token: string; expiresAt: Date }> {
  const { purpose, userId, organisationId = null } = link
  const { token, tokenHash, expiresAt } = newToken(clock, purpose)
  await insertLink(database, { tokenHash, purpose, userId, organisationId, expiresAt })
  return { token, expiresAt }
}

function newToken(clock: Clock, purpose: LinkPurpose): { token: string; tokenHash: Buffer; expiresAt: Date } {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(clock.now().getTime() + lifetimes[purpose] * 1000)
  return { token, tokenHash: sha256(token), expiresAt }
}

/** Pages on which a person with a link chooses a password. */
const pages = { invitation: '/app/invitation', reset: '/app/reset' } as const

interface PasswordLink extends NewLink {
  purpose: keyof typeof pages
  userId: string
}

interface LinkDeps {
  clock: Clock
  settings: { siteUrl: string }
}

/**
 * Revokes earlier links of the user.
 * @returns the URL of the page on which the person chooses a password
 */
export async function linkToPassword(
  transaction: InTransaction,
  link: PasswordLink,
  deps: LinkDeps,
): Promise<{ link: string; expiresAt: string }> {
  await deleteLinksOfUser(transaction, link.userId)
  return asShown(deps, link.purpose, await newLinkToken(transaction, deps.clock, link))
}

/**
 * Keeps existing links, because it may be a stranger who requested this one.
 *
 * @returns undefined if the person already has as many as allowed
 */
export async function anotherLinkToPassword(
  transaction: InTransaction,
  userId: string,
  deps: LinkDeps,
): Promise<{ link: string; expiresAt: string } | undefined> {
  const purpose = 'reset'
  if ((await countLinks(transaction, { userId, purpose, at: deps.clock.now() })) >= limits.resetLinksAtOnce)
    return undefined
  return asShown(deps, purpose, await newLinkToken(transaction, deps.clock, { purpose, userId }))
}

/** For an invitation to an address: the link to hand over, and what to store. */
export function newInvitationLink(deps: LinkDeps) {
  const { token, ...stored } = newToken(deps.clock, 'invitation')
  return { stored, shown: asShown(deps, 'invitation', { token, ...stored }) }
}

function asShown(
  { settings }: LinkDeps,
  purpose: PasswordLink['purpose'],
  { token, expiresAt }: { token: string; expiresAt: Date },
): { link: string; expiresAt: string } {
  return { link: `${settings.siteUrl}${pages[purpose]}#${token}`, expiresAt: expiresAt.toISOString() }
}

/**
 * Checks a link before the expensive password hash.
 * @throws ServiceError `invalid_credentials`
 */
export async function requireLink({ database, clock }: Deps, purpose: LinkPurpose, token: string): Promise<void> {
  if (!(await isLinkValid(database, { tokenHash: sha256(token), purpose, at: clock.now() }))) throw usedUp(purpose)
}

/** @throws ServiceError `invalid_credentials` if the link was used or has expired */
export async function consumeLink(
  transaction: InTransaction,
  clock: Clock,
  { purpose, token }: { purpose: LinkPurpose; token: string },
): Promise<TakenLink> {
  const link = await takeLink(transaction, { tokenHash: sha256(token), purpose, at: clock.now() })
  if (!link) throw usedUp(purpose)
  return link
}

const remedies: Record<LinkPurpose, string> = {
  'first-administrator': 'Start the service again for a new one, or use "storeferry admin create-administrator".',
  invitation: 'Ask the person who invited you for a new one.',
  reset: 'Ask for a new one.',
  'second-step': 'Sign in again.',
}

export function usedUp(purpose: LinkPurpose): ServiceError {
  const what = purpose === 'second-step' ? 'sign-in' : 'link'
  return new ServiceError('invalid_credentials', `This ${what} has expired or was already used. ${remedies[purpose]}`)
}
