import type { Mode } from '@millseal/contract'
import { originOf } from '@millseal/proof'
import { Problem } from '../../../lib/problem.ts'
import type { Ledger } from '../../../ports/ledger/ledger.ts'
import type { KmDependencies } from '../dependencies.ts'

/** The origin of the active log; undefined if there is none, or another operator signs for it. */
export const activeLog = async ({ routing }: KmDependencies, mode: Mode): Promise<string | undefined> => {
  const ledger = await routing.active(mode).catch((error: unknown): Ledger | undefined => {
    if (error instanceof Problem) return undefined
    throw error
  })
  if (ledger?.operator === undefined) return undefined
  const evidence = await ledger.proveRecords({ transactionIds: [], subjects: [] })
  return evidence && originOf(evidence.checkpoint)
}
