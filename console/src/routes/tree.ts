import { createRouter } from '@tanstack/react-router'
import { operatorRoutes } from './operator.ts'
import { indexRoute, personRoute, rootRoute, signedInRoute } from './root.tsx'
import { connectRoutes } from './connect.ts'
import { startRoutes } from './start.ts'

const tree = rootRoute.addChildren([
  signedInRoute,
  personRoute.addChildren([indexRoute, ...startRoutes, ...connectRoutes, ...operatorRoutes]),
])

export const router = createRouter({ routeTree: tree, basepath: '/console', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
