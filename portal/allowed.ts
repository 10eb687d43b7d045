import { includesPermission, mayCall, type OperationName, type Role } from '../src/contract/accounts/permissions.ts'
import type { Mode } from '../src/contract/modes.ts'
import { allowedFrom, type Control, controls, isLive, type MigrationStatus } from '../src/contract/status.ts'

/** What a person can do to a migration. `verify` starts another one. */
export type MigrationAction = Control | 'verify'
export const migrationActions: readonly MigrationAction[] = [...controls, 'verify']

/** The same at every control of a migration, so that a screen says it once. */
const onlyLooks = 'Viewers cannot start, change or sign migrations. Ask an owner or operator.'
const onlyCopies = 'Only for a copy.'
const afterwards = 'Available when copying has ended.'
const ended = 'It has ended.'
export const offline = 'You are offline.'

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
  if (!mayCall(role, operation)) return onlyLooks
  if (!isOnline) return offline
  if (requested === 'cancel') return 'It is being canceled.'
  if (action === 'verify') return whyNotCompare(status, mode)
  if (action === 'pause' && requested === 'pause') return 'It is being paused.'
  if (action === 'heal' && mode !== 'full') return onlyCopies
  // The service accepts it, and does the same as for `heal`; two buttons for one thing would look like two things.
  if (action === 'resume' && mode === 'full' && status === 'partial_completed') return ended
  return allowedFrom[action].includes(status) ? undefined : wrongStatus[action](status)
}

/** Whether anything can be done to a migration, by those who may do everything: not to a comparison that has ended. */
export function isActionable({ status, mode }: Pick<Situation, 'status' | 'mode'>): boolean {
  const anyone: Omit<Situation, 'status' | 'mode'> = { role: 'owner', requested: 'none', isOnline: true }
  return migrationActions.some((action) => whyNot(action, { status, mode, ...anyone }) === undefined)
}

/** Why an administrator of the platform cannot cancel an organization's migration. */
export function whyNotCancelAny({
  status,
  requested,
  isOnline,
}: Pick<Situation, 'status' | 'requested' | 'isOnline'>): string | undefined {
  if (!isOnline) return offline
  if (requested === 'cancel') return 'It is being canceled.'
  return allowedFrom.cancel.includes(status) ? undefined : ended
}

export interface Asker {
  role: Role
  /** Names of the owners, to tell people whom to ask. */
  owners: readonly string[]
  isOnline: boolean
}

type StoreManaging = 'add-store' | 'label-store' | 'disconnect-store'

/** Why a person cannot do this to a store, as a sentence; undefined if they can. */
export function whyNotStore(operation: StoreManaging, { role, owners, isOnline }: Asker): string | undefined {
  if (!mayCall(role, operation)) return onlyOwners('connect and change stores', owners)
  return whyNotNow(isOnline)
}

/** Why a person cannot start a migration. */
export function whyNotStart({ role, isOnline }: Asker): string | undefined {
  if (!mayCall(role, 'create-migration')) return onlyLooks
  return isOnline ? undefined : offline
}

/** Why a person cannot rename a migration. */
export function whyNotRename({ role, isOnline }: Asker): string | undefined {
  return mayCall(role, 'rename-migration') ? whyNotNow(isOnline) : onlyLooks
}

/** Says which control it is about, because it is said above the rows of a list. */
const leftAsItIs = '“Copy this item” is off where a copy would leave the item as it is.'

/**
 * Why a person cannot copy one item of a comparison again.
 * @param isRepaired whether a copy would change the item
 */
export function whyNotCopyItem(asker: Asker, isRepaired: boolean): string | undefined {
  return whyNotStart(asker) ?? (isRepaired ? undefined : leftAsItIs)
}

/** Why a person cannot let a migration delete more than usual. */
export function whyNotDelete({ role, owners }: Asker): string | undefined {
  return includesPermission(role, 'migration.delete') ? undefined : `Only an owner can allow this${named(owners)}.`
}

/** Why a person cannot accept an issue as it is. */
export function whyNotAccept({ role, isOnline }: Asker): string | undefined {
  if (!mayCall(role, 'dismiss-issue')) return onlyLooks
  return isOnline ? undefined : offline
}

/**
 * Why a person cannot reopen an accepted issue. Accepting the last one may have completed the migration, which is
 * final.
 */
export function whyNotReopen({ role, isOnline }: Asker, status: MigrationStatus): string | undefined {
  if (!mayCall(role, 'reopen-issues')) return onlyLooks
  if (status === 'completed') return 'It is done, and that is final. Compare the two stores, or copy again.'
  return isOnline ? undefined : offline
}

const ownersLists = {
  'list-members': 'see members',
  'get-credential-status': 'see the API access',
  'list-audit': 'see the audit',
}
/** Lists that not everyone sees: all but one are only for owners. */
export type OwnersList = keyof typeof ownersLists | 'list-webhooks'

/** Why a person cannot see a list that is only for some roles. */
export function whyNotSee(list: OwnersList, { role, owners }: Asker): string | undefined {
  if (mayCall(role, list)) return undefined
  if (list === 'list-webhooks') return 'Viewers cannot see notifications. Ask an owner or operator.'
  return onlyOwners(ownersLists[list], owners)
}

/** Why a person cannot change webhooks and mails, or have a message sent again. */
export function whyNotNotify({ role, owners, isOnline }: Asker): string | undefined {
  if (!includesPermission(role, 'notification.manage')) return onlyOwners('change notifications', owners)
  return whyNotNow(isOnline)
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
  if (!isOnline) return offline
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
  return isOnline ? undefined : offline
}

/** Why a person cannot sign off a copy. */
export function whyNotSign({ role, isOnline }: Asker, isCompared: boolean): string | undefined {
  if (!mayCall(role, 'sign-off')) return onlyLooks
  if (!isCompared) return 'Compare first, so that there is something to sign.'
  return isOnline ? undefined : offline
}

function onlyOwners(what: string, owners: readonly string[]): string {
  return `Only owners ${what}${named(owners)}.`
}

function named(owners: readonly string[]): string {
  return owners.length > 0 ? `: ${owners.join(', ')}` : ''
}

function whyNotCompare(status: MigrationStatus, mode: Mode): string | undefined {
  if (mode !== 'full') return onlyCopies
  return isLive(status) ? afterwards : undefined
}

const wrongStatus: Record<Control, (status: MigrationStatus) => string> = {
  pause: (status) => (status === 'paused' ? 'It is paused.' : ended),
  resume: (status) => (status === 'queued' ? 'It is waiting for its turn.' : isLive(status) ? 'It is running.' : ended),
  cancel: () => ended,
  heal: (status) => {
    if (isLive(status)) return afterwards
    return status === 'completed' ? 'Nothing needs review.' : 'It did not run to its end. Run it again instead.'
  },
}
