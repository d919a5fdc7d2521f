import type { EventName, Mode } from '@millseal/contract'
import { canonicalLedgerText, type SignedTransaction } from '@millseal/proof'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { ledgerCoinType } from '../cointypes/usable-coin-type.ts'
import type { KmDependencies } from '../dependencies.ts'
import type { SigningIdentity } from '../identities/signing-identity.ts'
import { toTransactionResponse } from './transaction-response.ts'
import {
  findTransactionByLedgerId,
  insertTransaction,
  markSent,
  type StoredTransaction,
} from './transactions.store.ts'

/** Who caused it: a principal by name, or `job` where nobody waits. */
export type Actor = { readonly actor: string; readonly ipAddress?: string }

type Signed = {
  readonly transaction: SignedTransaction
  readonly identity: Pick<SigningIdentity, 'companyId' | 'mode'>
  /** `kept`: sent by the service later. */
  readonly state: 'signed' | 'kept'
}

type Sent = {
  readonly transaction: SignedTransaction
  readonly companyId: string
  readonly mode: Mode
  readonly by: Actor
}

export type TransactionRecords = {
  /** Once per company and transaction; a repetition finds the record that is there. */
  signed(tx: Transaction, signed: Signed): Promise<StoredTransaction>
  /** Whoever signed it: the company that sends a transaction has a record of it. */
  sent(tx: Transaction, sent: Sent): Promise<StoredTransaction>
  /** Signed and sent by the service itself, for a certificate, whose events tell of it. */
  recorded(sent: Sent): Promise<void>
}

type Dependencies = Pick<KmDependencies, 'database' | 'clock' | 'audit' | 'outbox'>

export const keepRecords = (deps: Dependencies): TransactionRecords => ({
  signed: recordSigned(deps),
  sent: recordSent(deps),
  recorded: recordRecorded(deps),
})

const recordSigned =
  (deps: Dependencies): TransactionRecords['signed'] =>
  async (tx, { transaction, identity, state }) => {
    const { companyId, mode } = identity
    const now = new Date(deps.clock.now())
    const made = await insertTransaction(
      tx,
      {
        ...contentOf(transaction, now),
        companyId,
        mode,
        sentAt: undefined,
        ...(state === 'kept' ? { draft: canonicalLedgerText(transaction) } : {}),
      },
      { now },
    )
    if (made === undefined) return existing(tx, { transaction, companyId, mode })
    await tell(deps, tx, { action: 'sign', stored: made })
    return made
  }

const recordSent =
  (deps: Dependencies): TransactionRecords['sent'] =>
  async (tx, sent) => {
    const { transaction, companyId, mode, by } = sent
    const now = new Date(deps.clock.now())
    const made = await insertTransaction(tx, sentOf(sent, now), { now })
    const stored = made ?? (await existing(tx, sent))
    if (made === undefined && !(await markSent(tx, stored.id, now))) return stored
    const result = { ...stored, sentAt: now, updatedAt: now }
    await deps.audit.write(tx, {
      ...by,
      action: 'transactions.send',
      subject: `ledger:${transaction.id}`,
      companyId,
      details: { mode, operation: transaction.operation },
    })
    await tell(deps, tx, { action: 'send', stored: result })
    return result
  }

/**
 * One statement where there is no record yet, as nearly always: jobs keep as many records as there are certificates. It
 * does not wait for the disk: the job says later that it is done, and until then does all of it again.
 */
const recordRecorded =
  (deps: Dependencies): TransactionRecords['recorded'] =>
  async (sent) => {
    const now = new Date(deps.clock.now())
    const made = await insertTransaction(deps.database.query, sentOf(sent, now), { now, commit: 'later' })
    if (made === undefined) await deps.database.transaction((tx) => recordSent(deps)(tx, sent))
  }

const sentOf = ({ transaction, companyId, mode }: Sent, now: Date) => ({
  ...contentOf(transaction, now),
  companyId,
  mode,
  sentAt: now,
})

type TransactionEvent = Extract<EventName, { resource: 'transactions' }>['action']

const tell = (
  { outbox }: Dependencies,
  tx: Transaction,
  { action, stored }: { readonly action: TransactionEvent; readonly stored: StoredTransaction },
): Promise<string> =>
  outbox.write(tx, {
    resource: 'transactions',
    action,
    owner: { kind: 'company', id: stored.companyId },
    mode: stored.mode,
    payload: toTransactionResponse(stored),
  })

const contentOf = (transaction: SignedTransaction, now: Date) =>
  ({
    id: uuidv7(now.getTime()),
    coinType: ledgerCoinType,
    type: 'transparent',
    ledgerId: transaction.id,
    publicKeys: transaction.inputs.flatMap(({ owners_before }) => owners_before),
    fulfillments: transaction.inputs.map(({ fulfillment }) => fulfillment),
  }) as const

const existing = async (
  tx: Transaction,
  { companyId, mode, transaction }: Pick<Sent, 'companyId' | 'mode' | 'transaction'>,
): Promise<StoredTransaction> => {
  const stored = await findTransactionByLedgerId(tx, { companyId, mode, ledgerId: transaction.id })
  if (stored === undefined) throw new Error('A record that stood in the way of another is gone')
  return stored
}
