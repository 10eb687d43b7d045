import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { modes } from '../src/contract/modes.ts'
import { limits } from '../src/contract/primitives/limits.ts'
import { migrationStatuses } from '../src/contract/status.ts'
import { homeQueries, migrationQuery, migrationsQuery, requestQuery, sessionQuery } from './data/queries.ts'
import { paths } from './paths.ts'
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
  loader: async ({ context }) => {
    const { organizations } = await context.queries.ensureQueryData(sessionQuery)
    if (organizations.length > 0)
      await Promise.all(homeQueries().map((query) => context.queries.ensureQueryData(query)))
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

const migrationSettings = createRoute({
  getParentRoute: () => migration,
  path: 'settings',
  component: lazyRouteComponent(() => import('./screens/migration/settings.tsx'), 'Settings'),
})

const routeTree = root.addChildren([home, migrations, migration.addChildren([migrationOverview, migrationSettings])])

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
