import type { ReviewState } from '@millseal/contract'

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

export type ReviewsSearch = {
  readonly state?: ReviewState | undefined
  readonly text?: string | undefined
}
export type CompaniesSearch = ReviewsSearch
export const readCompaniesSearch = (search: Read): CompaniesSearch => ({
  state: oneOf(reviewStates, search['state']),
  text: text(search['text']),
})

export type UsersSearch = {
  readonly text?: string | undefined
  readonly status?: 'active' | 'inactive' | undefined
  readonly role?: 'USER' | 'ADMIN' | undefined
}
export const readUsersSearch = (search: Read): UsersSearch => ({
  text: text(search['text']),
  status: oneOf(['active', 'inactive'], search['status']),
  role: oneOf(['USER', 'ADMIN'], search['role']),
})

export type HealthSearch = { readonly kind?: string | undefined }
export const readHealthSearch = (search: Read): HealthSearch => ({ kind: text(search['kind']) })

/** `of` is the company of the entries: `company` is that of the person. */
export type AuditSearch = {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  /** Without entries of this action. */
  readonly except?: string | undefined
  readonly subject?: string | undefined
  readonly of?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}
export const readAuditSearch = (search: Read): AuditSearch => ({
  actor: text(search['actor']),
  action: text(search['action']),
  except: text(search['except']),
  subject: text(search['subject']),
  of: text(search['of']),
  from: day(search['from']),
  to: day(search['to']),
})
