import { createRoute } from '@tanstack/react-router'
import {
  readAuditSearch,
  readCompaniesSearch,
  readHealthSearch,
  readSavedMailsSearch,
  readUsersSearch,
} from '../screens/operator/searches.ts'
import { personRoute } from './root.tsx'
import { screen } from './screen.ts'

const at = { getParentRoute: () => personRoute } as const

export const operatorRoutes = [
  createRoute({ ...at, path: '/operator/reviews', validateSearch: readCompaniesSearch }).lazy(
    screen(['operator'], () => import('../screens/operator/reviews.tsx')),
  ),
  createRoute({ ...at, path: '/operator/reviews/$company' }).lazy(
    screen(['operator'], () => import('../screens/operator/review.tsx')),
  ),
  createRoute({ ...at, path: '/operator/companies', validateSearch: readCompaniesSearch }).lazy(
    screen(['operator'], () => import('../screens/operator/companies.tsx')),
  ),
  createRoute({ ...at, path: '/operator/users', validateSearch: readUsersSearch }).lazy(
    screen(['operator'], () => import('../screens/operator/users.tsx')),
  ),
  createRoute({ ...at, path: '/operator/networks' }).lazy(
    screen(['operator'], () => import('../screens/operator/networks.tsx')),
  ),
  createRoute({ ...at, path: '/operator/schemas' }).lazy(
    screen(['operator'], () => import('../screens/operator/schemas.tsx')),
  ),
  createRoute({ ...at, path: '/operator/mails', validateSearch: readSavedMailsSearch }).lazy(
    screen(['operator', 'mails', 'saved-mails'], () => import('../screens/operator/saved-mails.tsx')),
  ),
  createRoute({ ...at, path: '/operator/health', validateSearch: readHealthSearch }).lazy(
    screen(['operator', 'health'], () => import('../screens/operator/health.tsx')),
  ),
  createRoute({ ...at, path: '/operator/audit', validateSearch: readAuditSearch }).lazy(
    screen(['operator', 'audit'], () => import('../screens/operator/audit.tsx')),
  ),
] as const
