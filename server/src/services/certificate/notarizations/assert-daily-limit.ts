import { because } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { countAccepted, countBelow, type CountedDay, lockNumber, sumAccepted } from './quotas.store.ts'

const dayMs = 86_400_000

/**
 * This close to its limit, a company's certificates are counted one after the other, when those that were counted side by
 * side have ended. More than can be in work at the same time: each needs a connection to the database.
 */
const margin = 500

/**
 * Counts accepted certificates and throws if they are too many, which undoes the count. The limit is exact, also for
 * calls in several processes, and calls that fail take no place. Call it last: near the limit, other certificates of this
 * company wait for the end of the transaction.
 */
export const assertDailyLimit = async (
  { users, certificatesPerDay }: Pick<CertificateDependencies, 'users' | 'certificatesPerDay'>,
  tx: Transaction,
  day: CountedDay,
): Promise<void> => {
  const { verified, unverified } = certificatesPerDay
  const least = Math.min(verified, unverified)
  const { companyId, now } = day
  if (await countBelow(tx, day, least - margin)) return
  const isVerified = (await users.findVerifications(tx, [companyId])).has(companyId)
  const most = isVerified ? verified : unverified
  if (most > least && (await countBelow(tx, day, most - margin))) return
  await lockNumber(tx, companyId)
  // Statements of their own, which see what was committed while the lock was waited for.
  await countAccepted(tx, day)
  if ((await sumAccepted(tx, day)) <= most) return
  const end = new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs).toISOString()
  throw new Problem('certificate_limit_reached', {
    reasons: [because(isVerified ? 'certificate_limit' : 'certificate_limit_of_unverified', { most, end })],
  })
}
