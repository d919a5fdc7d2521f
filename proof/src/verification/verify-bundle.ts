import type { JsonValue } from '../json/read.ts'
import { InvalidTransaction, type SignedTransaction } from '../ledger/transaction.ts'
import { verifyTransaction } from '../ledger/verify-transaction.ts'
import type { Primitives } from '../primitives.ts'
import { type Bundle, BundleUnreadable, readBundle } from './bundle.ts'
import { checkFile, type FileHash } from './file-intact.ts'
import { checkIssuer } from './issuer.ts'
import type { TrustPolicy } from './policy.ts'
import { checkLog } from './recorded-in-log.ts'
import { type Check, type Report, reportOf } from './report.ts'
import { checkAnchors, checkTime } from './time.ts'

type Claim = { readonly file: FileHash; readonly bundle: JsonValue; readonly policy: TrustPolicy }

/** Verifies a file offline, with its bundle and a trust policy. */
export const verifyBundle = ({ file, bundle, policy }: Claim, primitives: Primitives): Report => {
  const read = attempt(() => readBundle(bundle))
  if (read instanceof Error)
    return reportOf([failed('transaction', read.message), checkFile(file, undefined)])
  const sound = attempt(() => verifyTransaction(read.transaction, primitives))
  if (sound instanceof Error)
    return reportOf([failed('transaction', sound.message), checkFile(file, undefined)])
  return reportOf(checksOf({ file, read, transaction: sound, policy }, primitives))
}

type Sound = {
  readonly file: FileHash
  readonly read: Bundle
  readonly transaction: SignedTransaction
  readonly policy: TrustPolicy
}

const checksOf = ({ file, read, transaction, policy }: Sound, primitives: Primitives): Check[] => [
  checkFile(file, transaction),
  {
    name: 'transaction',
    outcome: 'passed',
    says: `The transaction ${transaction.id} is signed and unchanged`,
  },
  checkLog({ proof: read.tlogProof, transaction, logs: policy.logs }, primitives),
  checkIssuer({ transaction, publication: read.publication, policy }, primitives),
  checkTime(transaction),
  checkAnchors(read.anchors),
]

const failed = (name: Check['name'], says: string): Check => ({ name, outcome: 'failed', says })

const attempt = <T>(work: () => T): T | InvalidTransaction | BundleUnreadable => {
  try {
    return work()
  } catch (error) {
    if (error instanceof InvalidTransaction || error instanceof BundleUnreadable) return error
    throw error
  }
}
