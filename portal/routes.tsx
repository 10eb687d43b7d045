import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { sessionQuery } from './data/queries.ts'
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
  component: lazyRouteComponent(() => import('./screens/home.tsx'), 'Home'),
})

const routeTree = root.addChildren([home])

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
