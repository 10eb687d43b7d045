/** Every address of the portal, for screens and links. */
export const paths = {
  home: '/app',
  migrations: '/app/migrations',
  newMigration: '/app/migrations/new',
  report: '/app/migrations/$id/report',
  stores: '/app/stores',
  connectStore: '/app/stores/connect',
  store: '/app/stores/$hash',
  browse: '/app/stores/$hash/browse/$entity',
  members: '/app/members',
  apiAccess: '/app/api-access',
  notifications: '/app/notifications',
  audit: '/app/audit',
  assistants: '/app/assistants',
  profile: '/app/profile',
  signedIn: '/app/signed-in',
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

/** Pages that the server renders, so a link to one loads a new page. */
export const serverPages = {
  signIn: (returnTo: string) => `/app/sign-in?return_to=${encodeURIComponent(returnTo)}`,
  signOut: '/app/sign-out',
} as const
