import { createRoute } from '@tanstack/react-router'
import { personRoute } from './root.tsx'
import { screen } from './screen.ts'

export const startRoutes = [
  createRoute({ getParentRoute: () => personRoute, path: '/start' }).lazy(
    screen(['start'], () => import('../screens/start/start.tsx')),
  ),
] as const
