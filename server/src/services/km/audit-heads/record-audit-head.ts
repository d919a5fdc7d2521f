import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import type { KmDependencies } from '../dependencies.ts'
import { submissionSignal } from '../ledgers/deadline.ts'
import { insertHead } from './audit-heads.store.ts'

export const auditHead: JobKind<object> = {
  name: 'km-audit-head',
  retries: 20,
  backoffSeconds: 60,
  expireSeconds: 600,
}

/** The words by which the heads are found on the log. */
export const headType = 'audit-head'

/**
 * Records the end of the chain over the audit log on the live log, signed by its operator: from then on, nobody who can
 * write to the database can change what is before it. Does nothing if the live ledger is not a log of this operator.
 */
export const recordAuditHead = async (deps: KmDependencies, { signal }: Job<object>): Promise<void> => {
  const { database, auditChain, clock, routing } = deps
  const ledger = await routing.active('live')
  if (ledger.operator === undefined) return
  await auditChain.extend(database)
  const head = await auditChain.head(database.query)
  if (head === undefined) return
  const asset = { type: headType, position: String(head.position), hash: head.hash }
  const transaction = await ledger.operator.sign(asset)
  await ledger.submit(transaction, submissionSignal(signal))
  await insertHead(database.query, {
    position: head.position,
    hash: Buffer.from(head.hash, 'hex'),
    transactionId: transaction.id,
    recordedAt: new Date(clock.now()),
  })
}
