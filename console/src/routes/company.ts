import { createRoute } from '@tanstack/react-router'
import { personRoute } from './root.tsx'
import { screen } from './screen.ts'

export type CompanySearch = { readonly part?: 'looks'; readonly receiver?: string }

const readSearch = (search: Readonly<Record<string, unknown>>): CompanySearch => ({
  part: search['part'] === 'looks' ? 'looks' : undefined,
  receiver: typeof search['receiver'] === 'string' ? search['receiver'] : undefined,
})

export const companyRoutes = [
  createRoute({
    getParentRoute: () => personRoute,
    path: '/company',
    validateSearch: readSearch,
  }).lazy(screen(['company'], () => import('../screens/company/company.tsx'))),
  createRoute({ getParentRoute: () => personRoute, path: '/company/new' }).lazy(
    screen(['company'], () => import('../screens/company/found.tsx')),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/members' }).lazy(
    screen(['company'], () => import('../screens/company/members.tsx')),
  ),
] as const
