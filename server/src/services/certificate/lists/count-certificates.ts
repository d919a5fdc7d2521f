import { type CertificateCounts, limits, type operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { mayReceive } from '../received/may-receive.ts'
import { countByState } from './counts.store.ts'

export const countCertificates = async (
  deps: CertificateDependencies,
  { companyId, mode }: Call<typeof operations.countCertificates>,
): Promise<CertificateCounts> => {
  const [counted, isReceiver] = await Promise.all([
    countByState(deps.database.query, { companyId, mode }),
    mayReceive(deps, companyId),
  ])
  const counts = new Map(counted.map(({ state, count }) => [state, count]))
  const of = (state: keyof CertificateCounts) => {
    const count = counts.get(state) ?? 0
    return { count: Math.min(count, limits.countedPerState), isExact: count <= limits.countedPerState }
  }
  return {
    accepted: of('accepted'),
    running: of('running'),
    notarized: of('notarized'),
    failed: of('failed'),
    received: isReceiver ? of('received') : undefined,
  }
}
