import { createRootRoute, createRoute, redirect, retainSearchParams } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { familiesQuery } from '../api/families.ts'
import { queryClient } from '../api/query-client.ts'
import { sessionQuery } from '../api/session.ts'
import { NotFound } from '../shell/failed.tsx'
import { readHereSearch } from '../shell/here.ts'
import { Layout } from '../shell/layout.tsx'
import { announceSignIn } from '../shell/sign-in-again.tsx'
import { loadTexts } from '../texts/catalog.ts'
import { SignedIn } from '../shell/signed-in.tsx'

export const rootRoute = createRootRoute({
  validateSearch: readHereSearch,
  search: { middlewares: [retainSearchParams(['mode', 'company'])] },
  beforeLoad: () => loadTexts('common', 'shell', 'problems', 'sentences'),
})

/** The window in which somebody signed in again. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/signed-in',
  component: SignedIn,
  loader: announceSignIn,
})

/** Everything that needs a person. Anybody else signs in first and comes back to the same address. */
export const personRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'person',
  component: Layout,
  beforeLoad: async ({ location: { pathname, searchStr } }) => {
    void queryClient.prefetchQuery(familiesQuery)
    if ((await queryClient.ensureQueryData(sessionQuery)) !== null) return
    const query = new URLSearchParams({ return_to: `/console${pathname}${searchStr}` })
    location.assign(`/auth/login?${query.toString()}`)
    await new Promise(() => {})
  },
})

/** An address of no screen. */
export const unknownRoute = createRoute({ getParentRoute: () => personRoute, path: '$', component: NotFound })

export const indexRoute = createRoute({
  getParentRoute: () => personRoute,
  path: '/',
  beforeLoad: async () => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session?.isOperator === true && session.memberships.length === 0)
      throw redirect({ to: '/operator/reviews' })
    const { completed } = await api.readOnboarding()
    throw redirect({ to: completed ? '/certificates' : '/start' })
  },
})
