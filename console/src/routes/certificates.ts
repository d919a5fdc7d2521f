import { createRoute } from '@tanstack/react-router'
import { readListSearch } from '../screens/certificates/list/list-search.ts'
import { readDeskSearch } from '../screens/desk/desk-search.ts'
import { readFormSearch } from '../screens/form/search.ts'
import { personRoute } from './root.tsx'
import { companyScreen, screen } from './screen.ts'

const areas = ['certificates'] as const

export const certificateRoutes = [
  createRoute({
    getParentRoute: () => personRoute,
    path: '/certificates',
    validateSearch: readListSearch,
  }).lazy(screen(areas, () => import('../screens/certificates/certificates.tsx'))),
  createRoute({
    getParentRoute: () => personRoute,
    path: '/certificates/$id',
  }).lazy(screen(['certificates', 'requirements'], () => import('../screens/certificates/certificate.tsx'))),
  createRoute({
    getParentRoute: () => personRoute,
    path: '/certificates/$id/replace',
    validateSearch: readFormSearch,
  }).lazy(
    screen(
      ['certificates', 'replace', 'form', 'files', 'findings'],
      () => import('../screens/replace/replace.tsx'),
    ),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/received', validateSearch: readListSearch }).lazy(
    screen(areas, () => import('../screens/certificates/received.tsx')),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/desk', validateSearch: readDeskSearch }).lazy(
    companyScreen(['desk'], () => import('../screens/desk/desk.tsx')),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/desk/$id' }).lazy(
    companyScreen(['desk', 'requirements'], () => import('../screens/desk/entry.tsx')),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/requirements' }).lazy(
    companyScreen(['requirements'], () => import('../screens/requirements/requirements.tsx')),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/requirements/$id' }).lazy(
    companyScreen(
      ['requirements', 'certificates', 'files', 'form'],
      () => import('../screens/requirements/requirement.tsx'),
    ),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/orders' }).lazy(
    companyScreen(['orders', 'form'], () => import('../screens/orders/orders.tsx')),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/new' }).lazy(
    screen(['certificates', 'files', 'findings'], () => import('../screens/certificates/new.tsx')),
  ),
] as const
