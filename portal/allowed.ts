import { includesPermission, mayCall, type OperationName, type Role } from '../src/contract/accounts/permissions.ts'
import type { Mode } from '../src/contract/modes.ts'
import { allowedFrom, type Control, controls, isLive, type MigrationStatus } from '../src/contract/status.ts'

/** What a person can do to a migration. `verify` starts another one. */
export type MigrationAction = Control | 'verify'
export const migrationActions: readonly MigrationAction[] = [...controls, 'verify']

export interface Situation {
  status: MigrationStatus
  mode: Mode
  role: Role
  /** A pause or cancellation that was requested and has not happened yet. */
  requested: 'none' | 'pause' | 'cancel'
  isOnline: boolean
}

/** Why an action is disabled, as a sentence; undefined if it is enabled. The service makes its own decision. */
export function whyNot(action: MigrationAction, situation: Situation): string | undefined {
  const { status, mode, role, requested, isOnline } = situation
  const operation: OperationName = action
  if (!mayCall(role, operation)) return 'Viewers cannot control migrations. Ask an owner or operator.'
  if (!isOnline) return 'You are offline.'
  if (requested === 'cancel') return 'It is being canceled.'
  if (action === 'verify') return whyNotCompare(status, mode)
  if (action === 'pause' && requested === 'pause') return 'It is being paused.'
  if (action === 'heal' && mode !== 'full') return 'Only a copy has items to try again.'
  return allowedFrom[action].includes(status) ? undefined : wrongStatus[action](status)
}

/** Why an administrator of the platform cannot cancel an organization's migration. */
export function whyNotCancelAny({
  status,
  requested,
  isOnline,
}: Pick<Situation, 'status' | 'requested' | 'isOnline'>): string | undefined {
  if (!isOnline) return 'You are offline.'
  if (requested === 'cancel') return 'It is being canceled.'
  return allowedFrom.cancel.includes(status) ? undefined : 'It has ended.'
}

export interface Asker {
  role: Role
  /** Names of the owners, to tell people whom to ask. */
  owners: readonly string[]
  isOnline: boolean
}

const managingWords = {
  'add-store': 'connect stores',
  'label-store': 'rename stores',
  'disconnect-store': 'disconnect stores',
}

/** Why a person cannot do this to a store, as a sentence; undefined if they can. */
export function whyNotStore(
  operation: keyof typeof managingWords,
  { role, owners, isOnline }: Asker,
): string | undefined {
  if (!mayCall(role, operation)) return onlyOwners(managingWords[operation], owners)
  return isOnline ? undefined : 'You are offline.'
}

/** Why a person cannot start a migration. */
export function whyNotStart({ role, isOnline }: Asker): string | undefined {
  if (!mayCall(role, 'create-migration')) return 'Viewers cannot start migrations. Ask an owner or operator.'
  return isOnline ? undefined : 'You are offline.'
}

/**
 * Why a person cannot copy one item of a comparison again.
 * @param isRepaired whether a copy would change the item
 */
export function whyNotCopyItem(asker: Asker, isRepaired: boolean): string | undefined {
  return whyNotStart(asker) ?? (isRepaired ? undefined : 'A copy leaves it as it is.')
}

/** Why a person cannot let a migration delete more than usual. */
export function whyNotDelete({ role, owners }: Asker): string | undefined {
  return includesPermission(role, 'migration.delete') ? undefined : `Only an owner can allow this${named(owners)}.`
}

/** Why a person cannot accept an issue as it is. */
export function whyNotAccept({ role, isOnline }: Asker): string | undefined {
  if (!mayCall(role, 'dismiss-issue')) return 'Viewers cannot accept issues. Ask an owner or operator.'
  return isOnline ? undefined : 'You are offline.'
}

/**
 * Why a person cannot reopen an accepted issue. Accepting the last one may have completed the migration, which is
 * final.
 */
export function whyNotReopen({ role, isOnline }: Asker, status: MigrationStatus): string | undefined {
  if (!mayCall(role, 'reopen-issues')) return 'Viewers cannot reopen issues. Ask an owner or operator.'
  if (status === 'completed') return 'It is done, and that is final. Compare the two stores, or copy again.'
  return isOnline ? undefined : 'You are offline.'
}

const ownersLists = {
  'list-members': 'see members',
  'get-credential-status': 'see the API access',
  'list-audit': 'see the audit',
}
export type OwnersList = keyof typeof ownersLists

/** Why a person cannot see a list that is only for owners. */
export function whyNotSee(list: OwnersList, { role, owners }: Asker): string | undefined {
  return mayCall(role, list) ? undefined : onlyOwners(ownersLists[list], owners)
}

const memberWords = {
  'change-member': 'change roles',
  'invite-member': 'invite members',
  'create-reset-link': 'reset passwords',
  'remove-member': 'remove members',
}
export type MemberAction = keyof typeof memberWords

export interface AboutMember extends Asker {
  isSelf: boolean
  /** Whether this is the only owner who can sign in. */
  isLastOwner: boolean
  resetBy: 'owner' | 'administrator'
}

/** Why a person cannot do this to a member. */
export function whyNotMember(action: MemberAction, about: AboutMember): string | undefined {
  const { role, owners, isOnline, isSelf, isLastOwner, resetBy } = about
  if (!mayCall(role, action)) return onlyOwners(memberWords[action], owners)
  if (!isOnline) return 'You are offline.'
  if (action === 'change-member' || action === 'remove-member')
    return isLastOwner ? 'An organization needs an owner who can sign in.' : undefined
  if (isSelf) return ownPassword
  return resetBy === 'owner'
    ? undefined
    : 'Belongs to more than this organization. Ask the people who run this service.'
}

/** Why an administrator cannot create a link with which a person chooses a password. */
export function whyNotLink({ isOnline, isSelf }: Pick<AboutMember, 'isOnline' | 'isSelf'>): string | undefined {
  return isSelf ? ownPassword : whyNotNow(isOnline)
}

const ownPassword = 'Change your own password in your profile.'

/** Why people cannot change their own data. */
export function whyNotNow(isOnline: boolean): string | undefined {
  return isOnline ? undefined : 'You are offline.'
}

/** Why a person cannot sign off a copy. */
export function whyNotSign({ role, isOnline }: Asker, isCompared: boolean): string | undefined {
  if (!mayCall(role, 'sign-off')) return 'Viewers cannot sign. Ask an owner or operator.'
  if (!isCompared) return 'Compare first, so that there is something to sign.'
  return isOnline ? undefined : 'You are offline.'
}

function onlyOwners(what: string, owners: readonly string[]): string {
  return `Only owners ${what}${named(owners)}.`
}

function named(owners: readonly string[]): string {
  return owners.length > 0 ? `: ${owners.join(', ')}` : ''
}

function whyNotCompare(status: MigrationStatus, mode: Mode): string | undefined {
  if (mode !== 'full') return 'Only a copy can be compared.'
  return isLive(status) ? 'Available when copying has ended.' : undefined
}

const wrongStatus: Record<Control, (status: MigrationStatus) => string> = {
  pause: (status) => (status === 'paused' ? 'It is paused.' : 'It has ended.'),
  resume: (status) =>
    status === 'queued' ? 'It is waiting for its turn.' : isLive(status) ? 'It is running.' : 'It has ended.',
  cancel: () => 'It has ended.',
  heal: (status) => (isLive(status) ? 'Available when it has ended.' : 'Nothing needs review.'),
}
