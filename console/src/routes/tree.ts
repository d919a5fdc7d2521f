import { createRouter } from '@tanstack/react-router'
import { formRoutes } from './form.ts'
import { indexRoute, personRoute, rootRoute, signedInRoute } from './root.tsx'
import { startRoutes } from './start.ts'

const tree = rootRoute.addChildren([
  signedInRoute,
  personRoute.addChildren([indexRoute, ...startRoutes, ...formRoutes]),
])

export const router = createRouter({ routeTree: tree, basepath: '/console', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
