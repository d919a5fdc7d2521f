import type { EventName, Mode } from '@millseal/contract'
import { canonicalLedgerText, type SignedTransaction } from '@millseal/proof'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Actor } from '../actor.ts'
import { ledgerCoinType } from '../cointypes/usable-coin-type.ts'
import type { KmDependencies } from '../dependencies.ts'
import { toTransactionResponse } from './transaction-response.ts'
import { whatItRecords } from './what-it-records.ts'
import {
  findTransactionByLedgerId,
  insertTransactions,
  markSent,
  type NewTransaction,
  type StoredTransaction,
} from './transactions.store.ts'

type OwnTransaction = {
  readonly transaction: SignedTransaction
  readonly companyId: string
  readonly mode: Mode
}
type SentTransaction = OwnTransaction & { readonly by: Actor }

/** Stores a transaction once per company; returns the existing row otherwise. A draft is sent by the server later. */
export const storeSignedTransaction = async (
  deps: KmDependencies,
  tx: Transaction,
  { asDraft, ...own }: OwnTransaction & { readonly asDraft: boolean },
): Promise<StoredTransaction> => {
  const now = new Date(deps.clock.now())
  const draft = asDraft ? canonicalLedgerText(own.transaction) : undefined
  const unsent = { ...toNewTransaction(own, now), sentAt: null, draft }
  const [created] = await insertTransactions(tx, [unsent], { now })
  if (created === undefined) return findStored(tx, own)
  await writeEvent(deps, tx, 'sign', created)
  return created
}

/** Stores a transaction for the company that sent it, which may not have signed it. */
export const storeSentTransaction = async (
  deps: KmDependencies,
  tx: Transaction,
  sent: SentTransaction,
): Promise<StoredTransaction> => {
  const { transaction, companyId, mode, by } = sent
  const now = new Date(deps.clock.now())
  const [created] = await insertTransactions(tx, [toNewTransaction(sent, now)], { now })
  const stored = created ?? (await findStored(tx, sent))
  if (created === undefined && !(await markSent(tx, stored.id, now))) return stored
  const result = { ...stored, sentAt: now, updatedAt: now }
  await deps.audit.write(tx, {
    ...by,
    action: 'transactions.send',
    subject: `ledger:${transaction.id}`,
    companyId,
    details: { mode, operation: transaction.operation },
  })
  await writeEvent(deps, tx, 'send', result)
  return result
}

/**
 * Stores the transaction of a certificate. A new row, the normal case, shares one statement with others, writes no event
 * (the certificate has events of its own) and does not wait for the disk: the job reports success later, and repeats all
 * of this if the row is lost.
 */
export const storeCertificateTransaction = async (
  deps: KmDependencies,
  sent: SentTransaction,
): Promise<void> => {
  const now = new Date(deps.clock.now())
  const isNew = await deps.grouped.insertTransaction(toNewTransaction(sent, now))
  if (!isNew) await deps.database.transaction((tx) => storeSentTransaction(deps, tx, sent))
}

const toNewTransaction = ({ transaction, companyId, mode }: OwnTransaction, now: Date): NewTransaction => ({
  id: uuidv7(now.getTime()),
  companyId,
  mode,
  coinType: ledgerCoinType,
  type: 'transparent',
  ...whatItRecords(transaction),
  ledgerId: transaction.id,
  publicKeys: transaction.inputs.flatMap(({ owners_before }) => owners_before),
  fulfillments: transaction.inputs.map(({ fulfillment }) => fulfillment),
  sentAt: now,
})

const findStored = async (
  tx: Transaction,
  { companyId, mode, transaction }: OwnTransaction,
): Promise<StoredTransaction> => {
  const stored = await findTransactionByLedgerId(tx, { companyId, mode, ledgerId: transaction.id })
  if (stored === undefined) throw new Error('The transaction that caused a conflict no longer exists')
  return stored
}

const writeEvent = (
  { outbox }: KmDependencies,
  tx: Transaction,
  action: Extract<EventName, { resource: 'transactions' }>['action'],
  stored: StoredTransaction,
): Promise<string> =>
  outbox.write(tx, {
    resource: 'transactions',
    action,
    owner: { kind: 'company', id: stored.companyId },
    mode: stored.mode,
    payload: toTransactionResponse(stored),
  })
