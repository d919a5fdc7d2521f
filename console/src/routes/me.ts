import { createRoute } from '@tanstack/react-router'
import { personRoute } from './root.tsx'
import { screen } from './screen.ts'

export const meRoutes = [
  createRoute({ getParentRoute: () => personRoute, path: '/me' }).lazy(
    screen(['me'], () => import('../screens/me/me.tsx')),
  ),
] as const
