import type { AuditVerification } from '@millseal/contract'
import { signerOf } from '@millseal/proof'
import type { LedgerEntry } from '../../../ports/ledger/ledger.ts'
import type { KmDependencies } from '../dependencies.ts'
import { findHeads, type RecordedHead } from './audit-heads.store.ts'
import { headType } from './record-audit-head.ts'

type Fault = AuditVerification['faults'][number]

/** The heads of so many years that the log is asked for. */
const maxHeads = 10_000

export const verifyAuditLog = async (deps: KmDependencies): Promise<AuditVerification> => {
  const { database, auditChain } = deps
  const { head, archived, waiting, faults } = await auditChain.verify(database.query)
  const heads = await findHeads(database.query)
  const found = [
    ...faults.map(({ entryId, ...fault }) => ({ ...fault, entry: entryId })),
    ...(await compareHeads(deps, heads, archived?.position ?? 0)),
  ]
  return {
    intact: found.length === 0,
    head,
    archived: archived && {
      position: archived.position,
      hash: archived.hash,
      archivedAt: archived.archivedAt.toISOString(),
    },
    waiting,
    recorded: toRecorded(heads.at(-1)),
    faults: found,
  }
}

/** Heads that the log does not have, heads that only the log has, and heads that are not in the chain. */
const compareHeads = async (
  { database: { query }, auditChain, routing }: KmDependencies,
  stored: readonly RecordedHead[],
  archivedTo: number,
): Promise<Fault[]> => {
  const ledger = await routing.active('live')
  const did = await ledger.operator?.did()
  if (did === undefined) return []
  const entries = await ledger.search({ words: `"${headType}"`, within: 'assets', limit: maxHeads })
  const logged = new Map(
    entries.flatMap((entry) => {
      const head = readHead(entry)
      return head === undefined || signerOf(entry.transaction) !== did ? [] : [[entry.transaction.id, head]]
    }),
  )
  const faults: Fault[] = []
  for (const { transactionId, position } of stored)
    if (!logged.has(transactionId)) faults.push({ kind: 'head', position, transactionId })
  for (const [transactionId, { position, hash }] of logged)
    if (position >= archivedTo && (await auditChain.hashAt(query, position)) !== hash)
      faults.push({ kind: 'head', position, transactionId })
  return faults
}

const readHead = ({
  transaction,
}: LedgerEntry): { readonly position: number; readonly hash: string } | undefined => {
  const { data } = transaction.asset as { readonly data?: Readonly<Record<string, unknown>> | null }
  const { type, position, hash } = data ?? {}
  if (type !== headType || typeof position !== 'string' || typeof hash !== 'string') return undefined
  return { position: Number(position), hash }
}

const toRecorded = (head: RecordedHead | undefined): AuditVerification['recorded'] =>
  head && {
    position: head.position,
    hash: Buffer.from(head.hash).toString('hex'),
    transactionId: head.transactionId,
    recordedAt: head.recordedAt.toISOString(),
  }
