import type { Mode } from '@millseal/contract'
import type { Transaction } from '../../../ports/database/database.ts'
import { findCompanies } from '../companies/companies.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findMemberAddresses, type StoredCompanyMail, takeQuota } from './company-mails.store.ts'
import { enqueueQuotaMails } from './quota-mail.ts'
import { findSuppressions } from './suppressions.store.ts'

export type HeldBack = NonNullable<StoredCompanyMail['heldBack']>

export type Decided = {
  readonly address: string
  /** Why this address gets no mail; null if it gets one. */
  readonly heldBack: HeldBack | null
}

export type WantedMails = {
  readonly companyId: string
  readonly mode: Mode
  /** Repetitions count once. The answer has them in lower case. */
  readonly addresses: readonly string[]
  /** Warnings are never stopped by the quota: there are few of them, and they matter. */
  readonly isWarning: boolean
}

/**
 * Decides who gets a mail of a company. In test mode, and until the company is verified, only its own confirmed members
 * do. If that leaves nobody, the mail goes to its confirmed admins.
 */
export const decideMails = async (
  deps: UserDependencies,
  tx: Transaction,
  { companyId, mode, addresses, isWarning }: WantedMails,
): Promise<readonly Decided[]> => {
  const wanted = [...new Set(addresses.map((address) => address.trim().toLowerCase()))]
  const [company] = await findCompanies(tx, { id: companyId })
  const members = await findMemberAddresses(tx, companyId)
  const isVerified = company !== undefined && company.verifiedAt !== null
  const limited = limitOf(mode, isVerified)
  const admins =
    limited === undefined || wanted.some((address) => members.has(address)) ? [] : adminsAmong(members)
  const all = [...new Set([...wanted, ...admins])]
  const stopped = await stoppedAmong(tx, companyId, all)
  const decided = all.map((address): Decided => {
    const isLimited = limited !== undefined && !members.has(address)
    return { address, heldBack: isLimited ? limited : (stopped.get(address) ?? null) }
  })
  return isWarning ? decided : await withinQuota(deps, tx, companyId, decided)
}

const limitOf = (mode: Mode, isVerified: boolean): 'test_mode' | 'unreviewed' | undefined => {
  if (mode === 'test') return 'test_mode'
  return isVerified ? undefined : 'unreviewed'
}

const adminsAmong = (members: ReadonlyMap<string, 'admin' | 'other'>): readonly string[] =>
  [...members].flatMap(([address, role]) => (role === 'admin' ? [address] : []))

export const stoppedAmong = async (
  query: Parameters<typeof findSuppressions>[0],
  companyId: string,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, 'unsubscribed' | 'bounced'>> =>
  new Map(
    (await findSuppressions(query, { companyId, addresses })).map(({ address, reason }) => [
      address,
      reason === 'unsubscribed' ? reason : 'bounced',
    ]),
  )

const withinQuota = async (
  deps: UserDependencies,
  tx: Transaction,
  companyId: string,
  decided: readonly Decided[],
): Promise<readonly Decided[]> => {
  const wanted = decided.filter(({ heldBack }) => heldBack === null).length
  if (wanted === 0 || deps.mailsPerDay === 0) return decided
  const now = new Date(deps.clock.now())
  const { granted, isFirstRefusal } = await takeQuota(tx, {
    companyId,
    wanted,
    perDay: deps.mailsPerDay,
    now,
  })
  if (isFirstRefusal) await enqueueQuotaMails(deps, tx, companyId)
  let left = granted
  return decided.map((one) => {
    if (one.heldBack !== null) return one
    left -= 1
    return left >= 0 ? one : { ...one, heldBack: 'quota' }
  })
}
