import { createRouter } from '@tanstack/react-router'
import { companyRoutes } from './company.ts'
import { keysRoutes } from './keys.ts'
import { meRoutes } from './me.ts'
import { indexRoute, personRoute, rootRoute, signedInRoute } from './root.tsx'
import { startRoutes } from './start.ts'
import { transactionRoutes } from './transactions.ts'

const tree = rootRoute.addChildren([
  signedInRoute,
  personRoute.addChildren([
    indexRoute,
    ...startRoutes,
    ...keysRoutes,
    ...transactionRoutes,
    ...companyRoutes,
    ...meRoutes,
  ]),
])

export const router = createRouter({ routeTree: tree, basepath: '/console', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
