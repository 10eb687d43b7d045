import type { Role } from '../src/contract/accounts/permissions.ts'
import type { ConflictStrategy, Mode } from '../src/contract/modes.ts'
import type { Control, MigrationStatus } from '../src/contract/status.ts'
import type { AuditAction, Capacity, EntityEntry, StoreDetail } from './data/queries.ts'

/** What screens say instead of the API's words. Their type makes a missing status or mode an error here. */
export const modeWords: Record<Mode, string> = {
  full: 'Copy',
  'dry-run': 'Trial run',
  verify: 'Compare',
  counts: 'Count',
}

/** The same, as nouns within a sentence. */
export const modeNouns: Record<Mode, string> = {
  full: 'copy',
  'dry-run': 'trial run',
  verify: 'comparison',
  counts: 'count',
}

/** The name of a migration. A comparison has the name of its copy, so it also says that it is a comparison. */
export function migrationName(label: string | null, mode: Mode): string {
  if (label === null) return `Unnamed ${modeNouns[mode]}`
  return mode === 'verify' ? `Comparison: ${label}` : label
}

/** The same within a sentence: "Cancel this copy?" */
export function migrationWithin(label: string | null, mode: Mode, which = 'an unnamed'): string {
  return label === null ? `${which} ${modeNouns[mode]}` : migrationName(label, mode)
}

export const strategyWords: Record<ConflictStrategy, string> = {
  skip: 'Add what is missing',
  update: 'Add and update',
  replace: 'Make the destination match',
}

export const strategyMeanings: Record<ConflictStrategy, string> = {
  skip: 'Existing items stay exactly as they are.',
  update:
    'Items that differ are made like the source. Values your shop changes itself stay, unless you choose to overwrite them.',
  replace: 'Items that differ are made like the source. Catalog and content that only the destination has is deleted.',
}

/** What a person loses, and keeps, when they cancel. */
export const cancelMeanings: Record<Mode, string> = {
  full: 'What was copied stays. This migration cannot be resumed; a new one continues where it stopped.',
  'dry-run': 'Neither store was changed. What it found so far stays here. It cannot be resumed, only started anew.',
  verify: 'Neither store was changed. What it found so far stays here. It cannot be resumed, only started anew.',
  counts: 'Neither store was changed. It cannot be resumed, only started anew.',
}

/** What not to cancel means. One that is paused stays so. */
export function keepWords(status: MigrationStatus): string {
  return status === 'queued' || status === 'in_progress' ? 'Keep it running' : 'Keep it as it is'
}

const working: Record<Mode, string> = {
  full: 'Copying',
  'dry-run': 'Trying out',
  verify: 'Comparing',
  counts: 'Counting',
}

export const statusWords: Record<MigrationStatus, string> = {
  queued: 'Waiting',
  in_progress: 'Running',
  paused: 'Paused',
  completed: 'Done',
  partial_completed: 'Done, needs review',
  failed: 'Stopped by a problem',
  cancelled: 'Canceled',
}

/** Orders for lists of migrations, besides newest first. */
export const sortWords = { updated: 'Last changed', duration: 'Longest', failures: 'Most to review' }

/**
 * The status of one migration. A running one says what it is doing.
 * @param isRetry whether a person asked to try again what failed
 */
export function statusWord(status: MigrationStatus, mode: Mode, isRetry = false): string {
  if (status !== 'in_progress') return statusWords[status]
  return isRetry ? 'Trying again' : working[mode]
}

export type Tone = 'running' | 'done' | 'review' | 'stopped' | 'quiet'

export const statusTones: Record<MigrationStatus, Tone> = {
  queued: 'quiet',
  in_progress: 'running',
  paused: 'quiet',
  completed: 'done',
  partial_completed: 'review',
  failed: 'stopped',
  cancelled: 'quiet',
}

/** Whether it ran to its end, so that what it found or wrote can be used. */
export function isOfUse({ status }: { status: MigrationStatus }): boolean {
  return ['done', 'review'].includes(statusTones[status])
}

export const controlWords: Record<Control, string> = {
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel',
  heal: 'Try failed items again',
}

/** What the control does that makes a migration go on, where there is one. */
export function goesOnWith(status: MigrationStatus, mode: Mode): string | undefined {
  if (status === 'paused') return 'Resume goes on where it was paused.'
  if (status !== 'partial_completed') return undefined
  return mode === 'full'
    ? '“Try failed items again” tries only what needs review. What was copied is left as it is.'
    : 'Resume reads once more what a store refused to show.'
}

export const roleWords: Record<Role, string> = { owner: 'Owner', operator: 'Operator', viewer: 'Viewer' }

export const accessWords: Record<AccessState, string> = {
  works: 'Works',
  refused: 'Token refused',
  silent: 'Does not answer',
}

/** What is wrong with a store that was just asked. */
export const troubleWords: Record<AccessState, string | undefined> = {
  works: undefined,
  refused: 'BigCommerce does not accept the token of this store any more.',
  silent: 'The store did not answer. Check again in a minute.',
}

export const accessTones: Record<AccessState, Tone> = { works: 'done', refused: 'stopped', silent: 'review' }

type AccessState = StoreDetail['access']['state']

type Waiting = Capacity['waiting'][number]

/** How much memory a migration gets. */
export const tierWords: Record<Waiting['tier'], string> = {
  small: 'Small',
  medium: 'Medium',
  large: 'Large',
  xlarge: 'Extra large',
  xxlarge: 'Extra large, twice',
  xxxlarge: 'Extra large, three times',
}

/** Why a migration has not started. */
export const waitingWords: Record<Waiting['why'], string> = {
  pricing: 'Its forecast is being made.',
  starting: 'It begins within seconds.',
  source_written: 'Another migration writes to the store it copies from.',
  destination_used: 'Another migration uses the store it copies to.',
  organisation_limit: 'The organization has as many under way as it may.',
  tier_limit: 'As many of its size are under way as may be.',
  no_host: 'No host offers a place.',
  no_room: 'No host has room for its size.',
  lost_host: 'One that lost its host goes first.',
}

/** The control panel sections that contain what is copied, in the order of its menu. */
export const groupWords: Record<EntityEntry['group'], string> = {
  catalog: 'Catalog',
  customers: 'Customers',
  orders: 'Orders',
  marketing: 'Marketing',
  storefront: 'Storefront',
  settings: 'Settings',
}

/** Order statuses by id, which is the same in every store. */
export const orderStatusWords: Record<string, string> = {
  '0': 'Incomplete',
  '1': 'Pending',
  '2': 'Shipped',
  '3': 'Partially shipped',
  '4': 'Refunded',
  '5': 'Canceled',
  '6': 'Declined',
  '7': 'Awaiting payment',
  '8': 'Awaiting pickup',
  '9': 'Awaiting shipment',
  '10': 'Completed',
  '11': 'Awaiting fulfillment',
  '12': 'Manual verification required',
  '13': 'Disputed',
  '14': 'Partially refunded',
}

/** Values that a shop changes itself, by their names in BigCommerce. */
export const ownValueWords: Record<string, string> = {
  inventory_level: 'stock',
  quantity: 'stock',
  status_id: 'the status of orders',
  consents: 'consent to mails',
  allow: 'answers about tracking',
  deny: 'answers about tracking',
  store_credit_amounts: 'store credit',
  accepts_product_review_abandoned_cart_emails: 'consent to mails about carts',
  enabled: 'on or off',
  status: 'on or off',
  store_name: 'the name of the store',
  store_email: 'the email of the store',
  address: 'the address',
  balance: 'the balance',
}

export interface CounterWords {
  copied: string
  updated: string
  matched: string
  skipped: string
  deleted: string
}

const copyWords: CounterWords = {
  copied: 'copied',
  updated: 'updated',
  matched: 'already the same',
  skipped: 'left alone',
  deleted: 'deleted',
}

export const counterWords: Record<Mode, CounterWords> = {
  full: copyWords,
  'dry-run': {
    ...copyWords,
    copied: 'would be copied',
    updated: 'would be updated',
    skipped: 'would be left alone',
    deleted: 'would be deleted',
  },
  verify: { ...copyWords, matched: 'equal', skipped: 'not equal or not compared' },
  counts: copyWords,
}

/** What a person did in an organization, for each kind of audit entry that its owners can have. */
export const organizationActionWords = {
  'organisation.create': 'created the organization',
  'store-migration.enable': 'allowed Store Migration',
  'store-migration.remove': 'removed from Store Migration',
  'store.connect': 'connected a store',
  'store.label': 'renamed a store',
  'store.disconnect': 'disconnected a store',
  'credential.issue': 'issued the API credential',
  'credential.rotate': 'rotated the API credential',
  'credential.disable': 'disabled the API credential',
  'token.end': 'ended an API token',
  login: 'logged in to the API',
  'login.fail': 'could not log in to the API',
  'sign-in.fail': 'could not sign in',
  'password.reset-link': 'made a link to a new password',
  'password.reset': 'chose a new password with a link',
  'shopper.erase': 'erased a shopper',
  'assistant.connect': 'connected an assistant',
  'assistant.disconnect': 'disconnected an assistant',
  'member.add': 'added a member',
  'member.invite': 'invited a member',
  'member.change': 'changed a member’s role',
  'member.remove': 'removed a member',
  'invitation.accept': 'accepted an invitation',
  'webhook.create': 'added a webhook',
  'webhook.change': 'changed a webhook',
  'webhook.delete': 'deleted a webhook',
  'webhook.rotate': 'gave a webhook a new secret',
  'webhook.test': 'tested a webhook',
  'notification.redeliver': 'had a message sent again',
  'notification.mail': 'changed what a member is mailed about',
  'migrations.read': 'looked at all migrations',
  'migration.read': 'looked at a migration',
  'migration.create': 'started a migration',
  'migration.verify': 'started a comparison',
  'migration.pause': 'paused a migration',
  'migration.resume': 'resumed a migration',
  'migration.cancel': 'canceled a migration',
  'migration.heal': 'tried a migration’s open items again',
  'migration.dismiss': 'accepted issues as they are',
  'migration.reopen': 'took back that issues were accepted',
  'migration.sign-off': 'signed off a copy',
  'migration.rename': 'renamed a migration',
} satisfies Partial<Record<AuditAction, string>>

export type OrganizationAction = keyof typeof organizationActionWords

/** What people did with their own account, and to the whole service. It is in the audit of no organization. */
const otherActionWords = {
  'administrator.create': 'added an administrator',
  'sign-in': 'signed in',
  'sign-out': 'signed out',
  'sign-out-everywhere': 'signed out everywhere',
  'session.end': 'signed out another browser',
  'session.reauthenticate': 'gave the password again',
  'name.change': 'changed their name',
  'password.change': 'changed the password',
  'password.mail-link': 'asked for a link to a new password by mail',
  'second-step.on': 'turned the second step on',
  'second-step.off': 'turned the second step off',
  'second-step.remove': 'turned the second step of a person off',
  'recovery-codes.renew': 'made new recovery codes',
  'signing-key.rotate': 'rotated the signing key',
  'master-key.rotate': 'rotated the master key',
  'database.restore': 'restored the database from a backup',
  'organisation.erase': 'erased an organization',
} satisfies Partial<Record<AuditAction, string>>

export const actionWords: Record<AuditAction, string> = { ...organizationActionWords, ...otherActionWords }
