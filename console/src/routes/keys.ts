import { createRoute } from '@tanstack/react-router'
import { personRoute } from './root.tsx'
import { companyScreen, screen } from './screen.ts'

export const keysRoutes = [
  createRoute({ getParentRoute: () => personRoute, path: '/keys' }).lazy(
    screen(['keys'], () => import('../screens/keys/keys.tsx')),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/keys/$identity' }).lazy(
    companyScreen(['keys'], () => import('../screens/keys/identity.tsx')),
  ),
] as const
