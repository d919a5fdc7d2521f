import { createRouter } from '@tanstack/react-router'
import { certificateRoutes } from './certificates.ts'
import { companyRoutes } from './company.ts'
import { connectRoutes } from './connect.ts'
import { keysRoutes } from './keys.ts'
import { meRoutes } from './me.ts'
import { operatorRoutes } from './operator.ts'
import { formRoutes } from './form.ts'
import { Failed } from '../shell/failed.tsx'
import { startRoutes } from './start.ts'
import { transactionRoutes } from './transactions.ts'
import { indexRoute, personRoute, rootRoute, signedInRoute, unknownRoute } from './root.tsx'

const tree = rootRoute.addChildren([
  signedInRoute,
  personRoute.addChildren([
    indexRoute,
    ...certificateRoutes,
    ...companyRoutes,
    ...connectRoutes,
    ...formRoutes,
    ...keysRoutes,
    ...meRoutes,
    ...startRoutes,
    ...transactionRoutes,
    ...operatorRoutes,
    unknownRoute,
  ]),
])

export const router = createRouter({
  routeTree: tree,
  basepath: '/console',
  scrollRestoration: true,
  // Of each screen, so that the navigation stays around it.
  defaultErrorComponent: Failed,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
