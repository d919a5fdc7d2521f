import type { Mode, Verification } from '@millseal/contract'
import { inEnglish } from '@millseal/contract/reasons'
import type { ReadCertificate } from '@millseal/families'
import type { KnownIssuer, LedgerRecord } from '../../km/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { remarkOnSeller } from '../sellers/other-seller.ts'
import { judge, type Judgement } from './judge.ts'
import { notesOn } from './notes.ts'
import { checkpointOf, reviewAt, subjectsOf } from './recorded-evidence.ts'

type Found = {
  readonly mode: Mode
  readonly hash: string
  readonly record: LedgerRecord
  readonly others: readonly LedgerRecord[]
  /** Undefined if only its hash is known. */
  readonly certificate: ReadCertificate | undefined
}

/** As it was reviewed when it signed, or as its company is called here. */
const notaryOf = (
  { answers, issuer }: Judgement,
  known: KnownIssuer['identity'],
): { readonly name: string; readonly vatId: string | undefined } | undefined =>
  answers.issuer === 'yes' && issuer?.name !== undefined
    ? { name: issuer.name, vatId: issuer.vatId }
    : known?.company

/** What is known about a certificate that the ledger has. */
export const factsOf = async (
  deps: CertificateDependencies,
  { mode, hash, record, others, certificate }: Found,
): Promise<
  Judgement &
    Pick<Verification, 'identity' | 'proof' | 'otherSeller' | 'notes' | 'message'> & {
      readonly timestamp: string
      readonly transactionId: string
    }
> => {
  const { keys, publicUrl } = deps
  const { issuerPublicKey: publicKey, transactionId, transaction, timestamp } = record
  const asked = subjectsOf(transaction)
  const [issuer, evidence] = await Promise.all([
    publicKey === undefined ? undefined : keys.findIssuer({ mode, publicKey }),
    keys.proveRecords({ mode, transactionIds: [transactionId], subjects: asked.subjects }),
  ])
  const origin = evidence && checkpointOf(evidence).origin
  const review = issuer && reviewAt(issuer, { origin, time: timestamp })
  const entry = evidence?.entries.find((one) => one.transaction.id === transactionId)
  const known = issuer?.identity
  const notes = await notesOn(deps, { mode, record, others, review, name: known?.company.name })
  const judgement = await judge(deps, { mode, record, asked, issuer, evidence })
  const { otherSeller, message } = remarkOnSeller(certificate, notaryOf(judgement, known))
  const sentences = [message ?? [], notes.map((note) => `${inEnglish(note)}.`)].flat()
  return {
    ...judgement,
    otherSeller,
    notes: notes.length === 0 ? undefined : [...notes],
    message: sentences.length === 0 ? undefined : sentences.join(' '),
    timestamp: timestamp.toISOString(),
    transactionId,
    identity: known && { id: known.id, publicKey: known.publicKey, did: known.did },
    proof: evidence &&
      entry && {
        url: `${publicUrl()}/api/certificates/proof/${hash}?mode=${mode}`,
        logIndex: entry.index,
        checkpoint: evidence.checkpoint,
      },
  }
}
