import { createRoute } from '@tanstack/react-router'
import { readTransactionsSearch } from '../screens/transactions/transactions-search.ts'
import { personRoute } from './root.tsx'
import { companyScreen, screen } from './screen.ts'

export const transactionRoutes = [
  createRoute({
    getParentRoute: () => personRoute,
    path: '/transactions',
    validateSearch: readTransactionsSearch,
  }).lazy(screen(['transactions'], () => import('../screens/transactions/transactions.tsx'))),
  createRoute({ getParentRoute: () => personRoute, path: '/transactions/$id' }).lazy(
    companyScreen(['transactions', 'certificates'], () => import('../screens/transactions/transaction.tsx')),
  ),
] as const
