import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import * as z from 'zod/mini'
import { mayCall, type OperationName } from '../src/contract/accounts/permissions.ts'
import { modes } from '../src/contract/modes.ts'
import { limits } from '../src/contract/primitives/limits.ts'
import { isLive } from '../src/contract/status.ts'
import { chooseOrganization } from './data/client.ts'
import {
  beforeImagesQuery,
  deletionsQuery,
  issueGroupsQuery,
  pairsQuery,
  signOffsQuery,
  timelineQuery,
} from './data/findings.ts'
import { deliveriesQuery, existingFilters, mailChoicesQuery, webhooksQuery } from './data/notification-queries.ts'
import {
  assistantsQuery,
  credentialQuery,
  loginsQuery,
  membersQuery,
  ownAuditQuery,
  sessionsQuery,
  tokensQuery,
} from './data/people-queries.ts'
import {
  type AuditAction,
  auditPeopleQuery,
  auditQuery,
  creatorsQuery,
  differencesQuery,
  firstStepQueries,
  homeQueries,
  type Issue,
  migrationQuery,
  migrationsQuery,
  requestQuery,
  sessionQuery,
  unfinishedQuery,
} from './data/queries.ts'
import { catalogQuery, catalogTextLength, entitiesQuery, storeQuery, storesQuery } from './data/store-queries.ts'
import { dayPattern } from './format/time.ts'
import { paths } from './paths.ts'
import { auditFiltersOf } from './screens/audit-search.ts'
import { changeFiltersOf, changeShelves } from './screens/migration/change-shelves.ts'
import { differenceFiltersOf } from './screens/migration/difference-filters.ts'
import { issueQueriesOf, issueShelves } from './screens/migration/issue-shelves.ts'
import { pairFiltersOf } from './screens/migration/pair-filters.ts'
import { isStatusList, migrationFiltersOf, withKnownStore } from './screens/migration-search.ts'
import { pickPattern } from './screens/new-migration/item-link.ts'
import { Loading, NoScreen, ScreenError, ShellError, SignedIn } from './screens/screen-states.tsx'
import { settleOrganization } from './session.tsx'
import { Shell } from './shell.tsx'
import { closeLayersOnBack } from './use-close-opened.ts'
import { actionWords, type OrganizationAction, organizationActionWords } from './words.ts'

interface Context {
  queries: QueryClient
}

const root = createRootRouteWithContext<Context>()({
  component: Shell,
  errorComponent: ShellError,
  notFoundComponent: NoScreen,
  // Loaders run side by side, and each of them names the organization.
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery)
    const { org, ...search } = location.search as { org?: unknown }
    if (session.organizations.some(({ id }) => id === org)) chooseOrganization(String(org))
    settleOrganization(session)
    // Links of messages name their organization. The address then stays as it is without it.
    if (org !== undefined) throw redirect({ to: location.pathname, search, hash: location.hash, replace: true })
  },
})

const home = createRoute({
  getParentRoute: () => root,
  path: paths.home,
  beforeLoad: async ({ context }) => {
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (session.isAdministrator && session.organizations.length === 0) throw redirect({ to: paths.administration })
  },
  loader: async ({ context }) => {
    const { organizations } = await context.queries.ensureQueryData(sessionQuery)
    if (organizations.length > 0)
      await Promise.all([
        context.queries.ensureQueryData(storesQuery()),
        ...[...homeQueries(), ...firstStepQueries()].map((query) => context.queries.ensureQueryData(query)),
      ])
  },
  component: lazyRouteComponent(() => import('./screens/home.tsx'), 'Home'),
})

const maybe = <Schema extends z.core.SomeType>(schema: Schema) => z.catch(z.optional(schema), undefined)

const maybeText = maybe(z.string().check(z.maxLength(limits.textLength)))

const day = maybe(z.string().check(z.regex(dayPattern)))

/** What an address may say about a list. An invalid value, perhaps edited by hand, counts as absent. */
const listSearch = z.object({
  status: maybe(z.string().check(z.refine(isStatusList))),
  mode: maybe(z.enum(modes)),
  text: maybeText,
  from: day,
  until: day,
  sort: maybe(z.enum(['updated', 'duration', 'failures'])),
  cursor: maybe(z.string()),
})

/**
 * For loaders of lists. Without `loaderDeps`, the router keeps the screen while another search loads, and `useShown`
 * updates the list.
 */
const searchOf = <Schema extends z.core.$ZodType>(schema: Schema, { search }: { search: unknown }) =>
  z.parse(schema, search)

const ownListSearch = z.extend(listSearch, { store: maybe(z.string()), by: maybe(z.uuid()) })

const migrations = createRoute({
  getParentRoute: () => root,
  path: paths.migrations,
  validateSearch: ownListSearch,
  loader: ({ context: { queries }, location }) =>
    Promise.all([
      queries
        .ensureQueryData(storesQuery())
        .then((stores) => withKnownStore(searchOf(ownListSearch, location), stores))
        .then((search) => queries.ensureQueryData(migrationsQuery(migrationFiltersOf(search)))),
      queries.prefetchQuery(creatorsQuery()),
    ]),
  component: lazyRouteComponent(() => import('./screens/migrations.tsx'), 'Migrations'),
})

const migration = createRoute({
  getParentRoute: () => root,
  path: '/app/migrations/$id',
  loader: ({ context, params: { id } }) =>
    Promise.all([
      context.queries.ensureQueryData(migrationQuery(id)),
      context.queries.ensureQueryData(requestQuery(id)),
    ]),
  component: lazyRouteComponent(() => import('./screens/migration/migration-page.tsx'), 'MigrationPage'),
})

const migrationOverview = createRoute({
  getParentRoute: () => migration,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/migration/overview.tsx'), 'Overview'),
})

const issueSearch = z.object({
  show: maybe(z.enum(issueShelves)),
  part: maybe(z.string()),
  // The screen knows which there are, and drops any other.
  cause: maybe(z.custom<Issue['code']>((value) => typeof value === 'string')),
  text: maybeText,
  issue: maybe(z.string()),
})

const migrationIssues = createRoute({
  getParentRoute: () => migration,
  path: 'issues',
  validateSearch: issueSearch,
  loader: ({ context: { queries }, params: { id }, location }) => {
    const search = searchOf(issueSearch, location)
    return Promise.all([
      queries.ensureQueryData(issueGroupsQuery(id, issueQueriesOf.causes(search))),
      // Numbers that come later would move what is beside them.
      queries.prefetchQuery(issueGroupsQuery(id, issueQueriesOf.parts(search))),
      queries.prefetchQuery(issueGroupsQuery(id, issueQueriesOf.shelves(search))),
    ])
  },
  component: lazyRouteComponent(() => import('./screens/migration/issues.tsx'), 'Issues'),
})

const differenceSearch = z.object({
  kind: maybe(z.enum(['missing', 'different', 'extra'])),
  part: maybe(z.string()),
  text: maybeText,
  own: maybe(z.enum(['only', 'without'])),
  cursor: maybe(z.string()),
})

const migrationDifferences = createRoute({
  getParentRoute: () => migration,
  path: 'differences',
  validateSearch: differenceSearch,
  loader: async ({ context, params: { id }, location }) => {
    const { mode } = await context.queries.ensureQueryData(migrationQuery(id))
    // A copy has no differences of its own.
    if (mode !== 'full')
      await Promise.all([
        context.queries.ensureQueryData(
          differencesQuery(id, differenceFiltersOf(searchOf(differenceSearch, location))),
        ),
        context.queries.ensureQueryData(entitiesQuery()),
      ])
  },
  component: lazyRouteComponent(() => import('./screens/migration/differences.tsx'), 'Differences'),
})

const changeSearch = z.object({
  show: maybe(z.enum(changeShelves)),
  part: maybe(z.string()),
  text: maybeText,
  cursor: maybe(z.string()),
})

const migrationChanges = createRoute({
  getParentRoute: () => migration,
  path: 'changes',
  validateSearch: changeSearch,
  loader: async ({ context, params: { id }, location }) => {
    const search = searchOf(changeSearch, location)
    const { show = 'new' } = search
    if (show === 'new') await context.queries.ensureQueryData(pairsQuery(id, changeFiltersOf.new(search)))
    else if (show === 'changed')
      await context.queries.ensureQueryData(beforeImagesQuery(id, changeFiltersOf.changed(search)))
    else await context.queries.ensureQueryData(deletionsQuery(id, changeFiltersOf.deleted(search)))
  },
  component: lazyRouteComponent(() => import('./screens/migration/changes.tsx'), 'Changes'),
})

const pairSearch = z.object({
  part: maybe(z.string()),
  text: maybeText,
  origin: maybe(z.enum(['created', 'adopted'])),
  cursor: maybe(z.string()),
})

const migrationPairs = createRoute({
  getParentRoute: () => migration,
  path: 'pairs',
  validateSearch: pairSearch,
  loader: ({ context, params: { id }, location }) =>
    context.queries.ensureQueryData(pairsQuery(id, pairFiltersOf(searchOf(pairSearch, location)))),
  component: lazyRouteComponent(() => import('./screens/migration/pairs.tsx'), 'Pairs'),
})

const migrationActivity = createRoute({
  getParentRoute: () => migration,
  path: 'activity',
  loader: ({ context, params: { id } }) => context.queries.fetchQuery(timelineQuery(id)),
  component: lazyRouteComponent(() => import('./screens/migration/activity.tsx'), 'Activity'),
})

const migrationReport = createRoute({
  getParentRoute: () => root,
  path: paths.report,
  loader: async ({ context, params: { id } }) => {
    const { mode, status } = await context.queries.ensureQueryData(migrationQuery(id))
    // Messages lead here, also those about a migration that waits for a person.
    if (mode !== 'full' || isLive(status)) throw redirect({ to: '/app/migrations/$id', params: { id } })
    await Promise.all([
      context.queries.ensureQueryData(requestQuery(id)),
      context.queries.ensureQueryData(signOffsQuery(id)),
      context.queries.ensureQueryData(timelineQuery(id)),
    ])
  },
  component: lazyRouteComponent(() => import('./screens/migration/report.tsx'), 'Report'),
})

const migrationSettings = createRoute({
  getParentRoute: () => migration,
  path: 'settings',
  component: lazyRouteComponent(() => import('./screens/migration/settings.tsx'), 'Settings'),
})

const stores = createRoute({
  getParentRoute: () => root,
  path: paths.stores,
  validateSearch: z.object({ text: maybeText }),
  loader: ({ context }) => context.queries.ensureQueryData(storesQuery()),
  component: lazyRouteComponent(() => import('./screens/stores/stores.tsx'), 'Stores'),
})

const connectStore = createRoute({
  getParentRoute: () => root,
  path: paths.connectStore,
  validateSearch: z.object({ hash: maybe(z.string()), purpose: maybe(z.enum(['from', 'to'])) }),
  loader: ({ context }) =>
    Promise.all([context.queries.ensureQueryData(storesQuery()), context.queries.ensureQueryData(entitiesQuery())]),
  component: lazyRouteComponent(() => import('./screens/stores/connect-store.tsx'), 'ConnectStore'),
})

const store = createRoute({
  getParentRoute: () => root,
  path: paths.store,
  loader: ({ context, params: { hash } }) =>
    Promise.all([
      context.queries.ensureQueryData(storeQuery(hash)),
      context.queries.ensureQueryData(entitiesQuery()),
      context.queries.ensureQueryData(migrationsQuery({ store: hash, limit: 5 })),
      context.queries.ensureQueryData(unfinishedQuery(hash)),
    ]),
  component: lazyRouteComponent(() => import('./screens/stores/store.tsx'), 'Store'),
})

const browseSearch = z.object({
  text: maybe(z.string().check(z.maxLength(catalogTextLength))),
  cursor: maybe(z.string()),
  item: maybe(z.string()),
})

const browse = createRoute({
  getParentRoute: () => root,
  path: paths.browse,
  validateSearch: browseSearch,
  loader: ({ context, params: { hash, entity }, location }) => {
    const { text, cursor } = searchOf(browseSearch, location)
    return Promise.all([
      context.queries.ensureQueryData(storesQuery()),
      context.queries.ensureQueryData(entitiesQuery()),
      context.queries.ensureQueryData(catalogQuery(hash, entity, { text, cursor, limit: 50 })),
    ])
  },
  component: lazyRouteComponent(() => import('./screens/stores/browse.tsx'), 'Browse'),
})

const newMigration = createRoute({
  getParentRoute: () => root,
  path: paths.newMigration,
  validateSearch: z.object({
    from: maybe(z.string()),
    source: maybe(z.string()),
    destination: maybe(z.string()),
    sourceStorefront: maybe(z.string()),
    destStorefront: maybe(z.string()),
    pick: maybe(z.string().check(z.regex(pickPattern))),
    name: maybeText,
    strategy: maybe(z.enum(['skip', 'update'])),
  }),
  loaderDeps: ({ search: { from } }) => ({ from }),
  loader: ({ context, deps: { from } }) =>
    Promise.all([
      context.queries.ensureQueryData(storesQuery()),
      context.queries.ensureQueryData(entitiesQuery()),
      from === undefined ? null : context.queries.ensureQueryData(requestQuery(from)),
      from === undefined ? null : context.queries.ensureQueryData(migrationQuery(from)),
    ]),
  component: lazyRouteComponent(() => import('./screens/new-migration/new-migration.tsx'), 'NewMigration'),
})

/** Whether this person may see a list that is only for some roles. If not, the screen says so. */
async function isSeenBy(queries: QueryClient, list: OperationName): Promise<boolean> {
  const organization = settleOrganization(await queries.ensureQueryData(sessionQuery))
  return organization !== undefined && mayCall(organization.role, list)
}

const pageSearch = z.object({ cursor: maybe(z.string()) })
const textSearch = z.object({ text: maybe(z.string()), cursor: maybe(z.string()) })

const members = createRoute({
  getParentRoute: () => root,
  path: paths.members,
  validateSearch: textSearch,
  loader: async ({ context: { queries }, location }) => {
    if (await isSeenBy(queries, 'list-members'))
      await queries.ensureQueryData(membersQuery(searchOf(textSearch, location)))
  },
  component: lazyRouteComponent(() => import('./screens/members/members.tsx'), 'Members'),
})

const apiAccess = createRoute({
  getParentRoute: () => root,
  path: paths.apiAccess,
  loader: async ({ context: { queries } }) => {
    if (await isSeenBy(queries, 'get-credential-status'))
      await Promise.all([
        queries.ensureQueryData(credentialQuery()),
        queries.ensureQueryData(storesQuery()),
        queries.ensureQueryData(loginsQuery()),
      ])
  },
  component: lazyRouteComponent(() => import('./screens/api-access/api-access.tsx'), 'ApiAccess'),
})

const deliverySearch = z.object({
  webhookId: maybe(z.uuid()),
  state: maybe(z.enum(['pending', 'delivered', 'failed'])),
  cursor: maybe(z.string()),
})

const notifications = createRoute({
  getParentRoute: () => root,
  path: paths.notifications,
  validateSearch: deliverySearch,
  loader: async ({ context: { queries }, location }) => {
    if (await isSeenBy(queries, 'list-webhooks'))
      await Promise.all([
        queries
          .ensureQueryData(webhooksQuery())
          .then((webhooks) => existingFilters(searchOf(deliverySearch, location), webhooks))
          .then((filters) => queries.ensureQueryData(deliveriesQuery(filters))),
        (await isSeenBy(queries, 'list-mail-choices')) && queries.ensureQueryData(mailChoicesQuery()),
      ])
  },
  component: lazyRouteComponent(() => import('./screens/notifications/notifications.tsx'), 'Notifications'),
})

// By their types, all keys of the words are actions.
const auditAction = maybe(z.enum(Object.keys(actionWords) as AuditAction[]))
const organizationAction = maybe(z.enum(Object.keys(organizationActionWords) as OrganizationAction[]))

const auditSearch = z.object({
  action: organizationAction,
  user: maybe(z.uuid()),
  from: day,
  until: day,
  cursor: maybe(z.string()),
})

const audit = createRoute({
  getParentRoute: () => root,
  path: paths.audit,
  validateSearch: auditSearch,
  loader: async ({ context: { queries }, location }) => {
    if (await isSeenBy(queries, 'list-audit'))
      await Promise.all([
        queries.ensureQueryData(auditQuery(auditFiltersOf(searchOf(auditSearch, location)))),
        queries.ensureQueryData(auditPeopleQuery()),
      ])
  },
  component: lazyRouteComponent(() => import('./screens/audit.tsx'), 'Audit'),
})

const assistants = createRoute({
  getParentRoute: () => root,
  path: paths.assistants,
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    context.queries.ensureQueryData(assistantsQuery(searchOf(pageSearch, location).cursor)),
  component: lazyRouteComponent(() => import('./screens/assistants.tsx'), 'Assistants'),
})

const profileSearch = z.object({ cursor: maybe(z.string()), token: maybe(z.string()), done: maybe(z.string()) })

const profile = createRoute({
  getParentRoute: () => root,
  path: paths.profile,
  validateSearch: profileSearch,
  loader: ({ context, location }) => {
    const { cursor, token, done } = searchOf(profileSearch, location)
    return Promise.all([
      context.queries.ensureQueryData(sessionsQuery(cursor)),
      context.queries.ensureQueryData(tokensQuery(token)),
      context.queries.ensureQueryData(ownAuditQuery(done)),
    ])
  },
  component: lazyRouteComponent(() => import('./screens/profile/profile.tsx'), 'Profile'),
})

const signedIn = createRoute({ getParentRoute: () => root, path: paths.signedIn, component: SignedIn })

const administration = createRoute({
  getParentRoute: () => root,
  path: paths.administration,
  component: lazyRouteComponent(() => import('./screens/admin/administration.tsx'), 'Administration'),
})

const administrationHome = createRoute({
  getParentRoute: () => administration,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: paths.allMigrations })
  },
})

const allMigrations = createRoute({
  getParentRoute: () => administration,
  path: 'migrations',
  validateSearch: z.extend(listSearch, { organization: maybe(z.string()) }),
  component: lazyRouteComponent(() => import('./screens/admin/all-migrations.tsx'), 'AllMigrations'),
})

const anyMigration = createRoute({
  getParentRoute: () => administration,
  path: 'migrations/$id',
  component: lazyRouteComponent(() => import('./screens/admin/any-migration.tsx'), 'AnyMigration'),
})

const capacity = createRoute({
  getParentRoute: () => administration,
  path: 'capacity',
  component: lazyRouteComponent(() => import('./screens/admin/capacity.tsx'), 'Capacity'),
})

const administrators = createRoute({
  getParentRoute: () => administration,
  path: 'administrators',
  component: lazyRouteComponent(() => import('./screens/admin/administrators.tsx'), 'Administrators'),
})

const access = createRoute({
  getParentRoute: () => administration,
  path: 'migrations/access',
  validateSearch: textSearch,
  component: lazyRouteComponent(() => import('./screens/admin/access.tsx'), 'Access'),
})

const organizations = createRoute({
  getParentRoute: () => administration,
  path: 'organizations',
  validateSearch: textSearch,
  component: lazyRouteComponent(() => import('./screens/admin/organizations.tsx'), 'Organizations'),
})

const organization = createRoute({
  getParentRoute: () => administration,
  path: 'organizations/$id',
  validateSearch: textSearch,
  component: lazyRouteComponent(() => import('./screens/admin/organization.tsx'), 'OrganizationPage'),
})

const allAudit = createRoute({
  getParentRoute: () => administration,
  path: 'audit',
  validateSearch: z.object({
    organization: maybe(z.string()),
    user: maybe(z.string()),
    action: auditAction,
    from: day,
    until: day,
    cursor: maybe(z.string()),
  }),
  component: lazyRouteComponent(() => import('./screens/admin/all-audit.tsx'), 'AllAudit'),
})

const routeTree = root.addChildren([
  home,
  migrations,
  newMigration,
  migration.addChildren([
    migrationOverview,
    migrationIssues,
    migrationDifferences,
    migrationChanges,
    migrationPairs,
    migrationActivity,
    migrationSettings,
  ]),
  migrationReport,
  stores,
  connectStore,
  store,
  browse,
  members,
  apiAccess,
  notifications,
  audit,
  assistants,
  profile,
  signedIn,
  administration.addChildren([
    administrationHome,
    allMigrations,
    access,
    anyMigration,
    organizations,
    organization,
    capacity,
    allAudit,
    administrators,
  ]),
])

export function createPortalRouter(queries: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queries },
    defaultErrorComponent: ScreenError,
    defaultNotFoundComponent: NoScreen,
    defaultPendingComponent: Loading,
    defaultPendingMs: 300,
    scrollRestoration: true,
  })
  closeLayersOnBack(router.history)
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPortalRouter>
  }
}
