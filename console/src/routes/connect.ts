import { createRoute } from '@tanstack/react-router'
import { readMailsSearch } from '../screens/mails/mails-search.ts'
import { readDeliveriesSearch } from '../screens/webhooks/deliveries-search.ts'
import { personRoute } from './root.tsx'
import { companyScreen } from './screen.ts'

export const connectRoutes = [
  createRoute({ getParentRoute: () => personRoute, path: '/automation' }).lazy(
    companyScreen(['automation'], () => import('../screens/automation/automation.tsx')),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/events' }).lazy(
    companyScreen(['events'], () => import('../screens/events/events.tsx')),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/webhooks' }).lazy(
    companyScreen(['webhooks'], () => import('../screens/webhooks/webhooks.tsx')),
  ),
  createRoute({ getParentRoute: () => personRoute, path: '/webhooks/new' }).lazy(
    companyScreen(['webhooks'], () => import('../screens/webhooks/new-webhook.tsx')),
  ),
  createRoute({
    getParentRoute: () => personRoute,
    path: '/webhooks/$id',
    validateSearch: readDeliveriesSearch,
  }).lazy(companyScreen(['webhooks'], () => import('../screens/webhooks/webhook.tsx'))),
  createRoute({
    getParentRoute: () => personRoute,
    path: '/mails',
    validateSearch: readMailsSearch,
  }).lazy(companyScreen(['mails', 'webhooks'], () => import('../screens/mails/mails.tsx'))),
] as const
