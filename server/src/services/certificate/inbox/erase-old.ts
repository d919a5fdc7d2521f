import { limits } from '@millseal/contract'
import type { CertificateDependencies } from '../dependencies.ts'
import { eraseEntries } from './inbox.store.ts'

/** Returns how many it deleted, at most a batch. */
export const eraseOld = ({ database }: CertificateDependencies, now: Date): Promise<number> => {
  const before = new Date(now)
  before.setUTCFullYear(before.getUTCFullYear() - limits.inbox.keptYears)
  return eraseEntries(database.query, before)
}
