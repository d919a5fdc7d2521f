import type { ReviewState } from '@millseal/contract'
import { createRoute } from '@tanstack/react-router'
import { personRoute } from './root.tsx'
import { screen } from './screen.ts'

type Read = Readonly<Record<string, unknown>>

const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((each) => each === value)

/** The router reads numbers out of texts like `42`, so they are written as texts again. */
const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value).slice(0, 200) || undefined
    : undefined

const day = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined

const reviewStates: readonly ReviewState[] = ['pending', 'verified', 'rejected']

export type ReviewsSearch = { readonly state?: ReviewState | undefined }
const readReviewsSearch = (search: Read): ReviewsSearch => ({ state: oneOf(reviewStates, search['state']) })

export type CompaniesSearch = ReviewsSearch & { readonly text?: string | undefined }
const readCompaniesSearch = (search: Read): CompaniesSearch => ({
  ...readReviewsSearch(search),
  text: text(search['text']),
})

export type UsersSearch = {
  readonly text?: string | undefined
  readonly status?: 'active' | 'inactive' | undefined
  readonly role?: 'USER' | 'ADMIN' | undefined
}
const readUsersSearch = (search: Read): UsersSearch => ({
  text: text(search['text']),
  status: oneOf(['active', 'inactive'], search['status']),
  role: oneOf(['USER', 'ADMIN'], search['role']),
})

export type HealthSearch = { readonly kind?: string | undefined }
const readHealthSearch = (search: Read): HealthSearch => ({ kind: text(search['kind']) })

/** `of` is the company of the entries: `company` is that of the person. */
export type AuditSearch = {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly subject?: string | undefined
  readonly of?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}
const readAuditSearch = (search: Read): AuditSearch => ({
  actor: text(search['actor']),
  action: text(search['action']),
  subject: text(search['subject']),
  of: text(search['of']),
  from: day(search['from']),
  to: day(search['to']),
})

const at = { getParentRoute: () => personRoute } as const

export const operatorRoutes = [
  createRoute({ ...at, path: '/operator/reviews', validateSearch: readReviewsSearch }).lazy(
    screen(['operator'], () => import('../screens/operator/reviews.tsx')),
  ),
  createRoute({ ...at, path: '/operator/reviews/$company' }).lazy(
    screen(['operator'], () => import('../screens/operator/review.tsx')),
  ),
  createRoute({ ...at, path: '/operator/companies', validateSearch: readCompaniesSearch }).lazy(
    screen(['operator'], () => import('../screens/operator/companies.tsx')),
  ),
  createRoute({ ...at, path: '/operator/users', validateSearch: readUsersSearch }).lazy(
    screen(['operator'], () => import('../screens/operator/users.tsx')),
  ),
  createRoute({ ...at, path: '/operator/networks' }).lazy(
    screen(['operator'], () => import('../screens/operator/networks.tsx')),
  ),
  createRoute({ ...at, path: '/operator/schemas' }).lazy(
    screen(['operator'], () => import('../screens/operator/schemas.tsx')),
  ),
  createRoute({ ...at, path: '/operator/health', validateSearch: readHealthSearch }).lazy(
    screen(['operator'], () => import('../screens/operator/health.tsx')),
  ),
  createRoute({ ...at, path: '/operator/audit', validateSearch: readAuditSearch }).lazy(
    screen(['operator', 'audit'], () => import('../screens/operator/audit.tsx')),
  ),
] as const
