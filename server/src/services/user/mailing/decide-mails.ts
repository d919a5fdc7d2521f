import type { Mode } from '@millseal/contract'
import type { Transaction } from '../../../ports/database/database.ts'
import type { UserDependencies } from '../dependencies.ts'
import { holderOfVatId } from '../quotas/lasting-numbers.ts'
import { takeOfDay } from '../quotas/take-of-day.ts'
import { findMailingCompany, type StoredCompanyMail } from './company-mails.store.ts'
import { enqueueQuotaMails } from './quota-mail.ts'
import { findSuppressions } from './suppressions.store.ts'

export type HeldBack = NonNullable<StoredCompanyMail['heldBack']>

export type Decided = {
  readonly address: string
  /** Why this address gets no mail; null if it gets one. */
  readonly heldBack: HeldBack | null
}

export type WantedMails = {
  readonly mode: Mode
  /** Repetitions count once. The answer has them in lower case. */
  readonly addresses: readonly string[]
  /** Warnings are never stopped by the quota: there are few of them, and they matter. */
  readonly isWarning: boolean
}

/**
 * Decides who gets mails of a company. In test mode, and until the company is verified, only its own confirmed members
 * do. If that leaves nobody, the mail goes to its confirmed admins. The result is in the order of what is wanted.
 */
export const decideMails = async (
  deps: UserDependencies,
  tx: Transaction,
  companyId: string,
  wanted: readonly WantedMails[],
): Promise<readonly (readonly Decided[])[]> => {
  const { isVerified, members, vatId } = await findMailingCompany(tx, companyId)
  const isMember = new Set(members.map(({ address }) => address))
  const admins = members.filter(({ isAdmin }) => isAdmin).map(({ address }) => address)
  const all = wanted.map(({ mode, addresses, isWarning }) => {
    const limited = limitOf(mode, isVerified)
    const given = plainAddresses(addresses)
    const leavesNobody = limited !== undefined && !given.some((address) => isMember.has(address))
    return { limited, isWarning, addresses: [...new Set([...given, ...(leavesNobody ? admins : [])])] }
  })
  const stopped = await stoppedAmong(
    tx,
    companyId,
    all.flatMap(({ addresses }) => addresses),
  )
  const decided = all.map(({ limited, isWarning, addresses }) => ({
    isWarning,
    mails: addresses.map((address): Decided => {
      const isLimited = limited !== undefined && !isMember.has(address)
      return { address, heldBack: isLimited ? limited : (stopped.get(address) ?? null) }
    }),
  }))
  const counted = decided.flatMap(({ isWarning, mails }) => (isWarning ? [] : mails))
  const isRefused = await beyondQuota(deps, tx, { companyId, vatId }, counted)
  return decided.map(({ mails }) =>
    mails.map((mail) => (isRefused.has(mail) ? { ...mail, heldBack: 'quota' as const } : mail)),
  )
}

/** In lower case, each once. */
export const plainAddresses = (addresses: readonly string[]): readonly string[] => [
  ...new Set(addresses.map((address) => address.trim().toLowerCase())),
]

const limitOf = (mode: Mode, isVerified: boolean): 'test_mode' | 'unreviewed' | undefined => {
  if (mode === 'test') return 'test_mode'
  return isVerified ? undefined : 'unreviewed'
}

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

/** Those for which the day has no mails left. */
const beyondQuota = async (
  deps: UserDependencies,
  tx: Transaction,
  { companyId, vatId }: { readonly companyId: string; readonly vatId: string },
  decided: readonly Decided[],
): Promise<ReadonlySet<Decided>> => {
  const wanted = decided.filter(({ heldBack }) => heldBack === null)
  if (wanted.length === 0) return new Set()
  // A company that is founded again has what is left.
  const holder = holderOfVatId(vatId)
  const order = {
    counted: 'mails',
    limits: { verified: deps.mailsPerDay, unverified: deps.mailsPerDay },
    now: new Date(deps.clock.now()),
    demands: [{ companyId: holder, wanted: wanted.length }],
  } as const
  // The limit is the same for all, so nobody has to be known as verified.
  const refusals = await takeOfDay(tx, order, async () => new Map())
  const refusal = refusals.get(holder)
  if (refusal?.isFirst === true) await enqueueQuotaMails(deps, tx, companyId)
  return new Set(refusal === undefined ? [] : wanted.slice(refusal.granted))
}
