import type { Mode } from '@millseal/contract'
import {
  buildCreate,
  type LedgerObject,
  type SignedTransaction,
  type UnsignedTransaction,
} from '@millseal/proof'
import { nodePrimitives } from '../../../lib/primitives.ts'
import type { LedgerEntry } from '../../../ports/ledger/ledger.ts'
import type { AuditEntry } from '../../../ports/audit/audit.ts'
import type { KmDependencies } from '../dependencies.ts'
import { findIdentityWithKey, type IdentityWithKey } from '../identities/signing-identity.ts'
import { submissionSignal } from '../ledgers/deadline.ts'
import type { LedgerRouting } from '../ledgers/routing.ts'
import type { TransactionRecords } from './keep-records.ts'
import { signWhole } from './sign-unsigned.ts'

export type RecordRequest = {
  readonly mode: Mode
  readonly companyId: string
  readonly identityId: string
  /** What is recorded for ever, for everybody to read; `jsonHash` makes it the record of one certificate. */
  readonly asset: Readonly<Record<string, string>>
  /** The same at every attempt, also the time in it: then every attempt makes the same transaction. */
  readonly metadata: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export type LedgerRecord = {
  readonly transactionId: string
  readonly transaction: SignedTransaction
  /** When the ledger took it, as far as it says. */
  readonly timestamp: Date
  /** The one key that signed it; none where several are named, of which any may have. */
  readonly issuerPublicKey: string | undefined
  readonly index?: number
  /** Whether the entry is the one these very inputs make; false where the certificate was recorded otherwise before. */
  readonly isNew: boolean
}

type Dependencies = Pick<KmDependencies, 'database' | 'vault' | 'clock' | 'audit'> & {
  readonly routing: LedgerRouting
  readonly records: TransactionRecords
}

/**
 * Resolves once the ledger has it for good and the records of the company say so. After a crash, a lost answer or a
 * `LedgerUnavailable` the same call is made again and ends in the same one entry.
 */
export const recordCertificate =
  (deps: Dependencies) =>
  async (request: RecordRequest): Promise<LedgerRecord> => {
    const { mode, asset } = request
    const by = { actor: 'job' }
    const elsewhere = await findElsewhere(deps.routing, mode, asset['jsonHash'])
    if (elsewhere !== undefined) return toLedgerRecord(elsewhere, { isNew: false, clock: deps.clock })
    // Only now: other networks may be slow, and the wallet may be wiped while they are asked.
    const identity = await findIdentityWithKey(deps.database.query, request)
    const write = (entry: AuditEntry) => deps.audit.writeAlone(deps.database.query, entry)
    const signing = { identity, by, purpose: 'certificates.notarize', write }
    const transaction = await signWhole(deps)(signing, unsignedOf(request, identity))
    const { entry } = await deps.routing.submit(mode, transaction, submissionSignal(request.signal))
    const isNew = entry.transaction.id === transaction.id
    if (isNew) await deps.records.recorded({ transaction, companyId: identity.companyId, mode, by })
    return toLedgerRecord(entry, { isNew, clock: deps.clock })
  }

const unsignedOf = (
  { asset, metadata }: RecordRequest,
  { publicKey }: IdentityWithKey,
): UnsignedTransaction =>
  buildCreate(
    {
      asset: asset satisfies LedgerObject,
      metadata: metadata satisfies LedgerObject,
      issuers: [publicKey],
      recipients: [{ publicKeys: [publicKey], amount: '1' }],
    },
    nodePrimitives,
  )

/** On a network that was active before: the certificate is recorded once, not once per network. */
const findElsewhere = (
  routing: LedgerRouting,
  mode: Mode,
  jsonHash: string | undefined,
): Promise<LedgerEntry | undefined> =>
  jsonHash === undefined
    ? Promise.resolve(undefined)
    : routing.findElsewhere(mode, (ledger) => ledger.findCertificate(jsonHash, 'json'))

export const toLedgerRecord = (
  { transaction, timestamp, index }: LedgerEntry,
  { isNew, clock }: { readonly isNew: boolean } & Pick<Dependencies, 'clock'>,
): LedgerRecord => ({
  transactionId: transaction.id,
  transaction,
  timestamp: timestamp ?? claimedTime(transaction) ?? new Date(clock.now()),
  issuerPublicKey: signerOf(transaction),
  ...(index === undefined ? {} : { index }),
  isNew,
})

/** Outputs say whose it is from now on: anybody may give a record to anybody. */
const signerOf = ({ inputs }: SignedTransaction): string | undefined => {
  const [signer, ...others] = inputs.flatMap(({ owners_before }) => owners_before)
  return others.length === 0 ? signer : undefined
}

/** A foreign network keeps no time that it tells; then the one that its issuer wrote has to do. */
const claimedTime = ({ metadata }: SignedTransaction): Date | undefined => {
  const text = metadata?.['timestamp']
  const date = typeof text === 'string' ? new Date(text) : undefined
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date
}
