import { because } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'

/** Counts accepted certificates and throws if they are too many, which undoes the count. Call it last. */
export const assertDailyLimit = async (
  { users, certificatesPerDay }: CertificateDependencies,
  tx: Transaction,
  { companyId, now, count }: { readonly companyId: string; readonly now: Date; readonly count: number },
): Promise<void> => {
  const refusals = await users.takeOfDay(tx, {
    counted: 'certificates',
    limits: certificatesPerDay,
    now,
    demands: [{ companyId, wanted: count }],
  })
  const refusal = refusals.get(companyId)
  if (refusal === undefined) return
  const { isVerified, most, end } = refusal
  throw new Problem('certificate_limit_reached', {
    reasons: [because(isVerified ? 'certificate_limit' : 'certificate_limit_of_unverified', { most, end })],
  })
}
