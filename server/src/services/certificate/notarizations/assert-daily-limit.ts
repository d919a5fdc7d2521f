import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { countAccepted } from './quotas.store.ts'

const dayMs = 86_400_000

/**
 * Counts an accepted certificate and throws if it is one too many, which undoes the count. Call it last: it locks the
 * number of the company, so other certificates of this company wait for the end of the transaction.
 */
export const assertDailyLimit = async (
  { users, certificatesPerDay }: Pick<CertificateDependencies, 'users' | 'certificatesPerDay'>,
  tx: Transaction,
  { companyId, now }: { readonly companyId: string; readonly now: Date },
): Promise<void> => {
  const { verified, unverified } = certificatesPerDay
  const accepted = await countAccepted(tx, companyId, now)
  if (accepted <= Math.min(verified, unverified)) return
  const isVerified = (await users.findVerifications(tx, [companyId])).has(companyId)
  const most = isVerified ? verified : unverified
  if (accepted <= most) return
  const end = new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs).toISOString()
  throw new Problem('certificate_limit_reached', {
    details: [
      `${isVerified ? 'A company' : 'A company that is not verified'} can submit ${most} certificates a day (UTC): submit it again from ${end} on`,
    ],
  })
}
