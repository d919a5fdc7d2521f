import { createRoute } from '@tanstack/react-router'
import { readKeysSearch } from '../screens/keys/keys-search.ts'
import { personRoute } from './root.tsx'
import { companyScreen, screen } from './screen.ts'

export const keysRoutes = [
  createRoute({ getParentRoute: () => personRoute, path: '/keys', validateSearch: readKeysSearch }).lazy(
    screen(['keys'], () => import('../screens/keys/keys.tsx')),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/keys/$identity' }).lazy(
    companyScreen(['keys'], () => import('../screens/keys/identity.tsx')),
  ),
] as const
