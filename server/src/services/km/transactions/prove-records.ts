import type { Mode } from '@millseal/contract'
import type { LogEvidence, WantedProof } from '../../../ports/ledger/ledger.ts'
import type { KmDependencies } from '../dependencies.ts'

/**
 * With the cosignatures of a quorum if there are some, and after a wait for them until the signal aborts. Undefined if no log
 * has all of these transactions.
 */
export const proveRecords = async (
  { routing, ledgers }: KmDependencies,
  { mode, wait, ...wanted }: WantedProof & { readonly mode: Mode; readonly wait?: AbortSignal | undefined },
): Promise<LogEvidence | undefined> => {
  const proveNewest = () => routing.findFirst(mode, (ledger) => ledger.proveRecords(wanted))
  const { confirmation } = ledgers.embedded(mode)
  if (confirmation === undefined) return await proveNewest()
  const confirmed = await confirmation.prove(wanted)
  if (confirmed !== undefined) return confirmed
  const newest = await proveNewest()
  if (newest === undefined || wait === undefined) return newest
  return (await confirmation.until(() => confirmation.prove(wanted), wait)) ?? (await proveNewest())
}
