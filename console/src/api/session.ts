import type { Company, MemberRole, UserResponse } from '@millseal/contract'
import { queryOptions } from '@tanstack/react-query'
import { api, isSignedOut } from './client.ts'
import { queryClient } from './query-client.ts'

export type Membership = { readonly company: Company; readonly role: MemberRole }

export type Session = {
  readonly me: UserResponse
  readonly isOperator: boolean
  readonly hasMfa: boolean
  /** The person used a second factor to open this session. */
  readonly hasTwoFactors: boolean
  readonly memberships: readonly Membership[]
}

const roleIn = async (company: Company, me: UserResponse): Promise<Membership> => {
  const members = await api.listMembers({ params: { id: company.id }, query: { limit: 1_000 } })
  return { company, role: members.find(({ user }) => user.id === me.id)?.role ?? 'read_only' }
}

/** Null if nobody is signed in. */
const readSession = async (): Promise<Session | null> => {
  try {
    const [me, mfa] = await Promise.all([api.readMe(), api.readMfa()])
    const companies = new Map([...me.companies, ...me.assignedCompanies].map((each) => [each.id, each]))
    const memberships = await Promise.all([...companies.values()].map((company) => roleIn(company, me)))
    // A person begins in the first one, so those that can work in live mode come first.
    memberships.sort((a, b) => Number(b.company.verified) - Number(a.company.verified))
    const hasTwoFactors = mfa.acr === '2fa'
    return { me, hasMfa: mfa.enabled, hasTwoFactors, isOperator: me.role === 'ADMIN', memberships }
  } catch (error) {
    // The screens keep a session that has ended until somebody signs in again.
    if (isSignedOut(error) && !queryClient.getQueryData<Session | null>(['session'])) return null
    throw error
  }
}

export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readSession, staleTime: 60_000 })
