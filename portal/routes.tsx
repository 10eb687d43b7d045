import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import * as z from 'zod/mini'
import { modes } from '../src/contract/modes.ts'
import { limits } from '../src/contract/primitives/limits.ts'
import { migrationStatuses } from '../src/contract/status.ts'
import {
  auditQuery,
  differencesQuery,
  firstStepQueries,
  homeQueries,
  issuesQuery,
  migrationQuery,
  migrationsQuery,
  requestQuery,
  sessionQuery,
} from './data/queries.ts'
import { catalogQuery, entitiesQuery, storeQuery, storesQuery } from './data/store-queries.ts'
import { paths } from './paths.ts'
import { issueFiltersOf, issueShelves } from './screens/migration/issue-shelves.ts'
import { Loading, NoScreen, ScreenError, ShellError } from './screens/screen-states.tsx'
import { settleOrganization } from './session.tsx'
import { Shell } from './shell.tsx'

interface Context {
  queries: QueryClient
}

const root = createRootRouteWithContext<Context>()({
  component: Shell,
  errorComponent: ShellError,
  notFoundComponent: NoScreen,
  loader: async ({ context }) => {
    settleOrganization(await context.queries.ensureQueryData(sessionQuery))
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

/** What an address may say about a list; one that was edited by hand falls back to the whole list. */
const listSearch = z.object({
  status: maybe(z.enum(migrationStatuses)),
  mode: maybe(z.enum(modes)),
  text: maybe(z.string().check(z.maxLength(limits.textLength))),
  cursor: maybe(z.string()),
})

const migrations = createRoute({
  getParentRoute: () => root,
  path: paths.migrations,
  validateSearch: listSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.queries.ensureQueryData(migrationsQuery(deps)),
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

const migrationIssues = createRoute({
  getParentRoute: () => migration,
  path: 'issues',
  validateSearch: z.object({ show: maybe(z.enum(issueShelves)), text: maybe(z.string()), cursor: maybe(z.string()) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, params: { id }, deps }) => context.queries.ensureQueryData(issuesQuery(id, issueFiltersOf(deps))),
  component: lazyRouteComponent(() => import('./screens/migration/issues.tsx'), 'Issues'),
})

const migrationDifferences = createRoute({
  getParentRoute: () => migration,
  path: 'differences',
  validateSearch: z.object({
    kind: maybe(z.enum(['missing', 'different', 'extra'])),
    cursor: maybe(z.string()),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, params: { id }, deps }) => context.queries.ensureQueryData(differencesQuery(id, deps)),
  component: lazyRouteComponent(() => import('./screens/migration/differences.tsx'), 'Differences'),
})

const migrationSettings = createRoute({
  getParentRoute: () => migration,
  path: 'settings',
  component: lazyRouteComponent(() => import('./screens/migration/settings.tsx'), 'Settings'),
})

const stores = createRoute({
  getParentRoute: () => root,
  path: paths.stores,
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
    ]),
  component: lazyRouteComponent(() => import('./screens/stores/store.tsx'), 'Store'),
})

const browse = createRoute({
  getParentRoute: () => root,
  path: paths.browse,
  validateSearch: z.object({ text: maybe(z.string().check(z.maxLength(100))), cursor: maybe(z.string()) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, params: { hash, entity }, deps }) =>
    Promise.all([
      context.queries.ensureQueryData(storesQuery()),
      context.queries.ensureQueryData(entitiesQuery()),
      context.queries.ensureQueryData(catalogQuery(hash, entity, { ...deps, limit: 50 })),
    ]),
  component: lazyRouteComponent(() => import('./screens/stores/browse.tsx'), 'Browse'),
})

const newMigration = createRoute({
  getParentRoute: () => root,
  path: paths.newMigration,
  validateSearch: z.object({
    from: maybe(z.string()),
    source: maybe(z.string()),
    destination: maybe(z.string()),
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

const audit = createRoute({
  getParentRoute: () => root,
  path: paths.audit,
  validateSearch: z.object({ cursor: maybe(z.string()) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.queries.ensureQueryData(auditQuery(deps)),
  component: lazyRouteComponent(() => import('./screens/audit.tsx'), 'Audit'),
})

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

const organizationSearch = z.object({ text: maybe(z.string()), cursor: maybe(z.string()) })

const access = createRoute({
  getParentRoute: () => administration,
  path: 'migrations/access',
  validateSearch: organizationSearch,
  component: lazyRouteComponent(() => import('./screens/admin/access.tsx'), 'Access'),
})

const organizations = createRoute({
  getParentRoute: () => administration,
  path: 'organizations',
  validateSearch: organizationSearch,
  component: lazyRouteComponent(() => import('./screens/admin/organizations.tsx'), 'Organizations'),
})

const organization = createRoute({
  getParentRoute: () => administration,
  path: 'organizations/$id',
  validateSearch: z.object({ cursor: maybe(z.string()) }),
  component: lazyRouteComponent(() => import('./screens/admin/organization.tsx'), 'OrganizationPage'),
})

const allAudit = createRoute({
  getParentRoute: () => administration,
  path: 'audit',
  validateSearch: z.object({
    organization: maybe(z.string()),
    action: maybe(z.string()),
    cursor: maybe(z.string()),
  }),
  component: lazyRouteComponent(() => import('./screens/admin/all-audit.tsx'), 'AllAudit'),
})

const routeTree = root.addChildren([
  home,
  migrations,
  newMigration,
  migration.addChildren([migrationOverview, migrationIssues, migrationDifferences, migrationSettings]),
  stores,
  connectStore,
  store,
  browse,
  audit,
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
  return createRouter({
    routeTree,
    context: { queries },
    defaultErrorComponent: ScreenError,
    defaultNotFoundComponent: NoScreen,
    defaultPendingComponent: Loading,
    defaultPendingMs: 300,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPortalRouter>
  }
}
