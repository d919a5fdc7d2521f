import { createRoute } from '@tanstack/react-router'
import { personRoute } from './root.tsx'
import { companyScreen, screen } from './screen.ts'

export const transactionRoutes = [
  createRoute({ getParentRoute: () => personRoute, path: '/transactions' }).lazy(
    screen(['transactions'], () => import('../screens/transactions/transactions.tsx')),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/transactions/$id' }).lazy(
    companyScreen(['transactions'], () => import('../screens/transactions/transaction.tsx')),
  ),
] as const
