import { type FourEyes, fourEyesRules } from '@millseal/contract'
import { assertTwoFactors } from '../../../http/authorize.ts'
import type { Principal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { JobKind } from '../../../ports/jobs/jobs.ts'
import type { UserDependencies } from '../dependencies.ts'
import type { StoredCompany } from './companies.store.ts'
import type { StoredMember } from './members.store.ts'

export type FourEyesNotice = {
  readonly userId: string
  readonly companyId: string
  readonly changedBy: string
}

export const fourEyesNotice: JobKind<FourEyesNotice> = {
  name: 'user-four-eyes-notice',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
}

/**
 * One account or one application must not get around the second person unnoticed: letting more pass needs a person with
 * two factors, and is mailed to everybody who may release.
 */
export const changeFourEyes = async (
  { jobs }: UserDependencies,
  tx: Transaction,
  {
    principal,
    before,
    wanted,
    members,
  }: {
    readonly principal: Principal
    readonly before: StoredCompany
    readonly wanted: FourEyes | undefined
    readonly members: readonly StoredMember[]
  },
): Promise<void> => {
  if (wanted === undefined || wanted === before.fourEyes) return
  if (principal.kind !== 'user') throw new Problem('person_required')
  if (fourEyesRules.indexOf(wanted) > fourEyesRules.indexOf(before.fourEyes)) return
  assertTwoFactors(principal)
  const told = members.filter(
    ({ memberRole, status }) => status === 'active' && (memberRole === 'admin' || memberRole === 'approver'),
  )
  await jobs.enqueueAll(
    tx,
    fourEyesNotice,
    told.map(({ id }) => ({ userId: id, companyId: before.id, changedBy: principal.id })),
  )
}
