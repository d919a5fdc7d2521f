import { createRoute } from '@tanstack/react-router'
import { personRoute } from './root.tsx'
import { screen } from './screen.ts'

export const connectRoutes = [
  createRoute({ getParentRoute: () => personRoute, path: '/automation' }).lazy(
    screen(['automation'], () => import('../screens/automation/automation.tsx')),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/events' }).lazy(
    screen(['events'], () => import('../screens/events/events.tsx')),
  ),
] as const
