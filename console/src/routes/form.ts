import { createRoute } from '@tanstack/react-router'
import { readFormSearch } from '../screens/form/search.ts'
import { personRoute } from './root.tsx'
import { screen } from './screen.ts'

export const formRoutes = [
  createRoute({
    getParentRoute: () => personRoute,
    path: '/new/form',
    validateSearch: readFormSearch,
  }).lazy(screen(['form', 'findings', 'customers'], () => import('../screens/form/form.tsx'))),
] as const
