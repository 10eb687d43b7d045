/** Every address of the portal. Screens and links take them from here. */
export const paths = {
  home: '/app',
  migrations: '/app/migrations',
  newMigration: '/app/migrations/new',
  stores: '/app/stores',
  connectStore: '/app/stores/connect',
  store: '/app/stores/$hash',
  browse: '/app/stores/$hash/browse/$entity',
  audit: '/app/audit',
  administration: '/admin',
  allMigrations: '/admin/migrations',
  anyMigration: '/admin/migrations/$id',
  access: '/admin/migrations/access',
  organizations: '/admin/organizations',
  organization: '/admin/organizations/$id',
  capacity: '/admin/capacity',
  allAudit: '/admin/audit',
  administrators: '/admin/administrators',
} as const

/** Pages the server renders; opened by a full page load. */
export const serverPages = {
  signIn: (returnTo: string) => `/app/sign-in?return_to=${encodeURIComponent(returnTo)}`,
  signOut: '/app/sign-out',
  profile: '/app/profile',
  assistants: '/app/assistants',
} as const
