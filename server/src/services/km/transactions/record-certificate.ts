import type { Mode } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { buildCreate, type SignedTransaction, signerOf as didOfSigner } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { type LedgerEntry, TransactionRefused } from '../../../ports/ledger/ledger.ts'
import { notarized } from '../../../ports/ledger/notarized.ts'
import type { KmDependencies } from '../dependencies.ts'
import { submissionSignal } from '../ledgers/deadline.ts'
import { signCompletely } from './add-signatures.ts'
import { storeCertificateTransaction } from './store-transaction.ts'

export type RecordRequest = {
  readonly mode: Mode
  readonly companyId: string
  readonly identityId: string
  /** Public and permanent. `jsonHash` identifies the certificate. */
  readonly asset: Readonly<Record<string, string>>
  /** Must be the same at every attempt, timestamps included, so that every attempt builds the same transaction. */
  readonly metadata: Readonly<Record<string, string>>
  /** Beside the entry of another signer, if one was first. */
  readonly own?: boolean
  readonly signal: AbortSignal
}

export type LedgerRecord = {
  readonly transactionId: string
  readonly transaction: SignedTransaction
  /** The time of the ledger. If it keeps none: the time in the metadata, else now. */
  readonly timestamp: Date
  /** The key that signed the transaction; undefined if it names several, any of which may have signed. */
  readonly issuerPublicKey: string | undefined
  readonly index?: number
  /** True if this request created the entry, now or in an earlier attempt. */
  readonly isNew: boolean
}

const by = { actor: 'job' }

/**
 * Records a certificate on the ledger and stores the transaction of the company. After a crash, a lost answer or a
 * `LedgerUnavailable`, call it again: it ends with the same single entry.
 */
export const recordCertificate = async (
  deps: KmDependencies,
  request: RecordRequest,
): Promise<LedgerRecord> => {
  const { mode, own = false } = request
  const elsewhere = own ? undefined : await findElsewhere(deps, mode, request.asset['jsonHash'])
  if (elsewhere !== undefined) return toLedgerRecord(deps, elsewhere, false)
  // Read the identity after the slow search of other networks: the wallet may have been wiped in the meantime.
  const identity = await deps.grouped.findIdentity(request)
  const { companyId, publicKey } = identity
  const asset = own ? await besideFirst(deps, request, identity.did) : request.asset
  const unsigned = buildCreate(
    {
      asset,
      metadata: request.metadata,
      issuers: [publicKey],
      recipients: [{ publicKeys: [publicKey], amount: '1' }],
    },
    nodePrimitives,
  )
  const signing = { identity, by, purpose: 'certificates.notarize', tx: undefined }
  const transaction = await signCompletely(deps, signing, unsigned)
  const { entry } = await deps.routing.submit(mode, transaction, submissionSignal(request.signal), notarized)
  const isNew = entry.transaction.id === transaction.id
  if (own && signerOf(entry.transaction) !== publicKey)
    throw new TransactionRefused(because('already_recorded', { transaction: entry.transaction.id }))
  if (isNew) await storeCertificateTransaction(deps, { transaction, companyId, mode, by })
  return toLedgerRecord(deps, entry, isNew)
}

/** Names the first entry of the certificate, unless there is none or this key signed it. It never changes. */
const besideFirst = async (
  { routing }: KmDependencies,
  { mode, asset }: RecordRequest,
  did: string,
): Promise<RecordRequest['asset']> => {
  const { jsonHash = '' } = asset
  const first = await routing.findFirst(mode, (ledger) => ledger.findCertificate(jsonHash, 'json'))
  if (first === undefined || didOfSigner(first.transaction) === did) return asset
  return { ...asset, beside: first.transaction.id }
}

/** A certificate on a network that was active before is not recorded again. */
const findElsewhere = async (
  { routing }: KmDependencies,
  mode: Mode,
  jsonHash: string | undefined,
): Promise<LedgerEntry | undefined> =>
  jsonHash === undefined
    ? undefined
    : routing.findElsewhere(mode, (ledger) => ledger.findCertificate(jsonHash, 'json'))

export const toLedgerRecord = (
  { clock }: KmDependencies,
  { transaction, timestamp, index }: LedgerEntry,
  isNew: boolean,
): LedgerRecord => ({
  transactionId: transaction.id,
  transaction,
  timestamp: timestamp ?? claimedTime(transaction) ?? new Date(clock.now()),
  issuerPublicKey: signerOf(transaction),
  index,
  isNew,
})

/** From the inputs: outputs only name the new owner, and anybody can make anybody an owner. */
const signerOf = ({ inputs }: SignedTransaction): string | undefined => {
  const [signer, ...others] = inputs.flatMap(({ owners_before }) => owners_before)
  return others.length === 0 ? signer : undefined
}

/** The time that the issuer wrote, because BigchainDB networks do not tell one. */
const claimedTime = ({ metadata }: SignedTransaction): Date | undefined => {
  const text = metadata?.['timestamp']
  const date = typeof text === 'string' ? new Date(text) : undefined
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date
}
