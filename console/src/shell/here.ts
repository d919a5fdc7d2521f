import type { Mode, OperationName } from '@millseal/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { isLiveReady, mayCall } from '../api/may.ts'
import { type Membership, type Session, sessionQuery } from '../api/session.ts'

/** The person, the company and the mode. Company and mode are in the address, so that a link leads to the same. */
export type Here = {
  readonly session: Session
  readonly membership: Membership | undefined
  readonly mode: Mode
  readonly isLiveReady: boolean
  /** The company that every company-scoped call names. Throws on a screen that needs one if there is none. */
  readonly company: string
  readonly may: (name: OperationName) => boolean
}

export type HereSearch = { readonly mode?: Mode; readonly company?: string }

export const readHereSearch = (search: Readonly<Record<string, unknown>>): HereSearch => ({
  mode: search['mode'] === 'live' || search['mode'] === 'test' ? search['mode'] : undefined,
  company: typeof search['company'] === 'string' ? search['company'] : undefined,
})

const lastCompany = 'millseal.company'

const membershipOf = ({ memberships }: Session, wanted: string | undefined): Membership | undefined => {
  const known = wanted ?? localStorage.getItem(lastCompany) ?? undefined
  return memberships.find(({ company }) => company.id === known) ?? memberships[0]
}

export const useHere = (): Here => {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const search: HereSearch = useSearch({ strict: false })
  if (session === null) throw new Error('The console draws its screens only for a person who is signed in')
  const membership = membershipOf(session, search.company)
  const isReady = isLiveReady({ session, membership })
  const mode = search.mode ?? (isReady ? 'live' : 'test')
  return {
    session,
    membership,
    mode,
    isLiveReady: isReady,
    get company() {
      if (membership === undefined) throw new Error('This screen needs a company')
      return membership.company.id
    },
    may: (name) => mayCall(name, { session, membership, mode }),
  }
}

/** The screens of operators of the service have no mode. */
export const hasMode = (path: string, membership: Membership | undefined): boolean =>
  membership !== undefined && !path.startsWith('/operator')

/** Changes company or mode without leaving the screen. */
export const useChangeHere = (): ((next: HereSearch) => void) => {
  const navigate = useNavigate()
  return (next) => {
    if (next.company !== undefined) localStorage.setItem(lastCompany, next.company)
    void navigate({ to: '.', search: (search: object) => ({ ...search, ...next }) })
  }
}
