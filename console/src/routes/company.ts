import { createRoute } from '@tanstack/react-router'
import { personRoute } from './root.tsx'
import { readCompanySearch } from '../screens/company/search.ts'
import { readCustomersSearch } from '../screens/customers/customers-search.ts'
import { companyScreen, screen } from './screen.ts'

export const companyRoutes = [
  createRoute({
    getParentRoute: () => personRoute,
    path: '/company',
    validateSearch: readCompanySearch,
  }).lazy(screen(['company'], () => import('../screens/company/company.tsx'))),
  createRoute({ getParentRoute: () => personRoute, path: '/company/new' }).lazy(
    screen(['company'], () => import('../screens/company/found.tsx')),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/members' }).lazy(
    companyScreen(['company'], () => import('../screens/company/members.tsx')),
  ),
  createRoute({
    getParentRoute: () => personRoute,
    path: '/customers',
    validateSearch: readCustomersSearch,
  }).lazy(companyScreen(['customers'], () => import('../screens/customers/customers.tsx'))),
] as const
