import { type CertificateCounts, type CompanyCounts, limits, type operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { mayReceive } from '../certificates/may-receive.ts'
import { countAll, countByState, type CountedCompany } from './counts.store.ts'

export const countCertificates = async (
  deps: CertificateDependencies,
  { companyId, mode }: Call<typeof operations.countCertificates>,
): Promise<CertificateCounts> => {
  const [counted, isReceiver] = await Promise.all([
    countByState(deps.database.query, { companyId, mode }),
    mayReceive(deps, companyId),
  ])
  const counts = new Map(counted.map(({ state, count }) => [state, count]))
  const of = (state: keyof CertificateCounts) => limited(counts.get(state) ?? 0)
  return {
    awaitingRelease: of('awaitingRelease'),
    accepted: limited((counts.get('accepted') ?? 0) - (counts.get('awaitingRelease') ?? 0)),
    running: of('running'),
    notarized: of('notarized'),
    failed: of('failed'),
    received: isReceiver ? of('received') : undefined,
  }
}

const limited = (count: number) => ({
  count: Math.min(count, limits.countedPerState),
  isExact: count <= limits.countedPerState,
})

/** `received` only for companies that may receive. */
export const countOf = async (
  deps: CertificateDependencies,
  company: CountedCompany,
): Promise<Pick<CompanyCounts, 'certificates' | 'received'>> => {
  const [{ certificates, received }, isReceiver] = await Promise.all([
    countAll(deps.database.query, company),
    mayReceive(deps, company.companyId),
  ])
  return {
    certificates: limited(certificates),
    received: isReceiver && received !== null ? limited(received) : undefined,
  }
}
