/** Who may do what. Operation names come from this table, so an operation without a row does not compile (S18). */
export const roles = ['owner', 'operator', 'viewer'] as const
export type Role = (typeof roles)[number]

/** Texts for people. */
export const roleMeanings: Record<Role, string> = {
  owner: 'Manages everything, including stores and members.',
  operator: 'Starts and controls migrations.',
  viewer: 'Sees everything, changes nothing.',
}

export const permissionRoles = {
  'migration.read': ['owner', 'operator', 'viewer'],
  'store.read': ['owner', 'operator', 'viewer'],
  'credential.read': ['owner'],
  'migration.write': ['owner', 'operator'],
  // Lets `replace` delete shoppers' data, or more than the usual limits.
  'migration.delete': ['owner'],
  'store.manage': ['owner'],
  'member.manage': ['owner'],
  'notification.read': ['owner', 'operator'],
  'notification.manage': ['owner'],
} as const satisfies Record<string, readonly Role[]>
export type Permission = keyof typeof permissionRoles
export type RequiredPermission = Permission | 'public' | 'signed-in' | 'migrations.manage'

/**
 * The permission that each operation requires. `public` needs no authentication (login). `signed-in` is for a person in
 * the portal and their own account. `migrations.manage` is for the platform's own staff; no organisation role includes
 * it (S4).
 */
export const operationPermissions = {
  login: 'public',
  'sign-in': 'public',
  'sign-in-with-code': 'public',
  'claim-first-administrator': 'public',
  'describe-invitation': 'public',
  'accept-invitation': 'public',
  'mail-reset-link': 'public',
  'reset-password': 'public',
  'install-app': 'public',
  'load-app': 'public',
  'uninstall-app': 'public',
  'remove-app-user': 'public',
  'get-session': 'signed-in',
  'sign-out': 'signed-in',
  'sign-out-everywhere': 'signed-in',
  'change-password': 'signed-in',
  reauthenticate: 'signed-in',
  'get-second-step': 'signed-in',
  'begin-second-step': 'signed-in',
  'confirm-second-step': 'signed-in',
  'renew-recovery-codes': 'signed-in',
  'end-second-step': 'signed-in',
  'list-own-audit': 'signed-in',
  'change-name': 'signed-in',
  'list-sessions': 'signed-in',
  'end-session': 'signed-in',
  'list-assistants': 'signed-in',
  'disconnect-assistant': 'signed-in',
  'list-tokens': 'signed-in',
  'end-token': 'signed-in',
  'describe-installation': 'signed-in',
  'list-stores': 'store.read',
  'get-store': 'store.read',
  'list-storefronts': 'store.read',
  'add-store': 'store.manage',
  'claim-store': 'store.manage',
  'label-store': 'store.manage',
  'disconnect-store': 'store.manage',
  'list-members': 'member.manage',
  'add-member': 'member.manage',
  'invite-member': 'member.manage',
  'change-member': 'member.manage',
  'remove-member': 'member.manage',
  'create-reset-link': 'member.manage',
  'list-audit': 'member.manage',
  'list-audit-people': 'member.manage',
  'list-webhooks': 'notification.read',
  'create-webhook': 'notification.manage',
  'change-webhook': 'notification.manage',
  'delete-webhook': 'notification.manage',
  'rotate-webhook-secret': 'notification.manage',
  'test-webhook': 'notification.manage',
  'list-deliveries': 'notification.read',
  redeliver: 'notification.manage',
  'list-mail-choices': 'notification.manage',
  'change-mail-choice': 'notification.manage',
  forecast: 'migration.read',
  preflight: 'migration.read',
  'create-migration': 'migration.write',
  'list-migrations': 'migration.read',
  'list-creators': 'migration.read',
  'get-migration': 'migration.read',
  'get-migration-request': 'migration.read',
  'watch-migration': 'migration.read',
  'list-mappings': 'migration.read',
  'list-before-images': 'migration.read',
  'list-issues': 'migration.read',
  'list-differences': 'migration.read',
  'list-deletions': 'migration.read',
  'count-deletions': 'migration.read',
  'describe-caller': 'migration.read',
  'get-credential-status': 'credential.read',
  'explain-migrations': 'migration.read',
  'browse-stores': 'store.read',
  'get-store-overview': 'store.read',
  'check-store-access': 'store.read',
  'browse-channels': 'store.read',
  'get-storefront': 'store.read',
  'summarise-migrations': 'migration.read',
  'get-run-timeline': 'migration.read',
  'list-phases': 'migration.read',
  'list-components': 'migration.read',
  'summarise-issues': 'migration.read',
  'get-issue': 'migration.read',
  'search-issues': 'migration.read',
  'count-issues': 'migration.read',
  'get-forecast': 'migration.read',
  'list-entities': 'store.read',
  'list-page-templates': 'store.read',
  'count-catalog': 'store.read',
  'browse-catalog': 'store.read',
  'get-catalog-item': 'store.read',
  'compare-item': 'store.read',
  'get-item-history': 'migration.read',
  'count-differences': 'migration.read',
  'list-sign-offs': 'migration.read',
  pause: 'migration.write',
  resume: 'migration.write',
  cancel: 'migration.write',
  heal: 'migration.write',
  'dismiss-issue': 'migration.write',
  'dismiss-issues': 'migration.write',
  'reopen-issues': 'migration.write',
  'retry-issues': 'migration.write',
  'sign-off': 'migration.write',
  'rename-migration': 'migration.write',
  'dismiss-differences': 'migration.write',
  'reopen-differences': 'migration.write',
  verify: 'migration.write',
  'create-administrator': 'migrations.manage',
  'create-person-reset-link': 'migrations.manage',
  'remove-second-step': 'migrations.manage',
  'list-administrators': 'migrations.manage',
  'create-organisation': 'migrations.manage',
  'list-organisations': 'migrations.manage',
  'get-organisation': 'migrations.manage',
  'list-organisation-members': 'migrations.manage',
  'enable-store-migration': 'migrations.manage',
  'remove-store-migration': 'migrations.manage',
  'appoint-member': 'migrations.manage',
  'list-all-audit': 'migrations.manage',
  'list-all-migrations': 'migrations.manage',
  'get-any-migration': 'migrations.manage',
  'cancel-any-migration': 'migrations.manage',
  'get-capacity': 'migrations.manage',
  'connect-store': 'migrations.manage',
  'issue-credential': 'migrations.manage',
  'rotate-credential': 'migrations.manage',
  'disable-credential': 'migrations.manage',
} as const satisfies Record<string, RequiredPermission>
export type OperationName = keyof typeof operationPermissions

/**
 * Operations closed to bearer tokens for every role: a program with the API credential of an organisation can log in with
 * the name of any member (S4), and a webhook would outlive the token that made it (S6).
 */
const closedToBearerTokens: readonly Permission[] = ['store.manage', 'member.manage', 'notification.manage']

export function isOpenToBearerTokens(operation: OperationName): boolean {
  const permission = operationPermissions[operation]
  if (permission === 'public') return true
  if (permission === 'signed-in' || permission === 'migrations.manage') return false
  return !closedToBearerTokens.includes(permission)
}

/** Operations that only read, according to their permission; tools may use no others. */
export type ReadingOperationName = {
  [Name in OperationName]: (typeof operationPermissions)[Name] extends `${string}.read` ? Name : never
}[OperationName]

export function isReading(operation: OperationName): operation is ReadingOperationName {
  return operationPermissions[operation].endsWith('.read')
}

/** Whether a role includes a permission. */
export function includesPermission(role: Role, permission: Permission): boolean {
  return (permissionRoles[permission] as readonly Role[]).includes(role)
}

/** Whether a member with this role may call an operation. Denied unless the row names the role. */
export function mayCall(role: Role, operation: OperationName): boolean {
  const permission = operationPermissions[operation]
  if (permission === 'public') return true
  if (permission === 'signed-in' || permission === 'migrations.manage') return false
  return includesPermission(role, permission)
}
