/** Who may do what: the one table. An operation has no name outside it, so one without a row does not compile (S18). */
export const roles = ['owner', 'operator', 'viewer'] as const
export type Role = (typeof roles)[number]

export const permissionRoles = {
  'migration.read': ['owner', 'operator', 'viewer'],
  'store.read': ['owner', 'operator', 'viewer'],
  'migration.write': ['owner', 'operator'],
  'store.manage': ['owner'],
  'member.manage': ['owner'],
} as const satisfies Record<string, readonly Role[]>
export type Permission = keyof typeof permissionRoles

/**
 * The permission each operation asks for. `public` asks nobody who they are (login); `administrator` is the platform's own staff
 * and no organisation role reaches it (S4).
 */
export const operationPermissions = {
  login: 'public',
  'list-stores': 'store.read',
  'get-store': 'store.read',
  'list-storefronts': 'store.read',
  forecast: 'migration.read',
  'create-migration': 'migration.write',
  'list-migrations': 'migration.read',
  'get-migration': 'migration.read',
  'get-migration-request': 'migration.read',
  'list-issues': 'migration.read',
  'list-differences': 'migration.read',
  pause: 'migration.write',
  resume: 'migration.write',
  cancel: 'migration.write',
  heal: 'migration.write',
  'dismiss-issue': 'migration.write',
  'dismiss-issues': 'migration.write',
  verify: 'migration.write',
  'create-administrator': 'administrator',
  'create-organisation': 'administrator',
  'list-organisations': 'administrator',
  'enable-store-migration': 'administrator',
  'connect-store': 'administrator',
  'issue-credential': 'administrator',
  'rotate-credential': 'administrator',
  'disable-credential': 'administrator',
} as const satisfies Record<string, Permission | 'public' | 'administrator'>
export type OperationName = keyof typeof operationPermissions

/** Whether a member with this role may call an operation. Default deny: only a row that names the role says yes. */
export function mayCall(role: Role, operation: OperationName): boolean {
  const permission = operationPermissions[operation]
  if (permission === 'public') return true
  if (permission === 'administrator') return false
  return (permissionRoles[permission] as readonly Role[]).includes(role)
}
