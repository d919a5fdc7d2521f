import type { ReviewState } from '@millseal/contract'
import { oneOf, type Read, textOf } from '../../ui/list/read-search.ts'

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
  text: textOf(search['text']),
})

export type UsersSearch = {
  readonly text?: string | undefined
  readonly status?: 'active' | 'inactive' | undefined
  readonly role?: 'USER' | 'ADMIN' | undefined
}
export const readUsersSearch = (search: Read): UsersSearch => ({
  text: textOf(search['text']),
  status: oneOf(['active', 'inactive'], search['status']),
  role: oneOf(['USER', 'ADMIN'], search['role']),
})

export type HealthSearch = { readonly kind?: string | undefined }
export const readHealthSearch = (search: Read): HealthSearch => ({ kind: textOf(search['kind']) })

export type SavedMailsSearch = { readonly text?: string | undefined }
export const readSavedMailsSearch = (search: Read): SavedMailsSearch => ({ text: textOf(search['text']) })

/** `of` is the company of the entries: `company` is that of the person. */
export type AuditSearch = {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  /** Leaves out entries of this action. */
  readonly except?: string | undefined
  readonly subject?: string | undefined
  readonly of?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}
export const readAuditSearch = (search: Read): AuditSearch => ({
  actor: textOf(search['actor']),
  action: textOf(search['action']),
  except: textOf(search['except']),
  subject: textOf(search['subject']),
  of: textOf(search['of']),
  from: day(search['from']),
  to: day(search['to']),
})
