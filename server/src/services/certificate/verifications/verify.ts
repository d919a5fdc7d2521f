import { createHash } from 'node:crypto'
import type { Mode, operations, Verification } from '@millseal/contract'
import { type Certificate, summarize } from '@millseal/families'
import { extractEmbeddedCertificate, looksLikePdf } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import type { KnownIssuer, LedgerRecord } from '../../km/index.ts'
import { readDocument } from '../checking/read-document.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { sha256Hex } from '../hashing/hash.ts'
import { judge, type Judgement } from './judge.ts'
import { subjectsOf } from './recorded-evidence.ts'
import { remarkOnSeller } from '../sellers/other-seller.ts'
import { recordedHashes } from './recorded-hashes.ts'

/** A file that is not on the ledger is an answer, not an error. */
export const verify = async (
  deps: CertificateDependencies,
  { body, mode }: Call<typeof operations.verifyCertificate | typeof operations.verifyCertificateFile>,
): Promise<Verification> =>
  looksLikePdf(body.bytes) ? verifyPdf(deps, mode, body.bytes) : verifyJson(deps, mode, body.bytes)

const verifyJson = async (
  deps: CertificateDependencies,
  mode: Mode,
  bytes: Uint8Array,
): Promise<Verification> => {
  const certificate = readDocument(bytes)
  const { hash } = certificate
  const record = await deps.keys.findRecord({ mode, hash, file: 'json' })
  if (record === undefined) return notFound(mode, hash)
  return {
    isValid: true,
    mode,
    matched: 'json',
    hash: sha256Hex(hash),
    summary: summarize(certificate),
    ...(await factsOf(deps, { mode, hash, record, certificate })),
  }
}

/** Compares bytes: a PDF that was saved again is another file. The embedded certificate then gives a second answer. */
const verifyPdf = async (
  deps: CertificateDependencies,
  mode: Mode,
  bytes: Uint8Array,
): Promise<Verification> => {
  const hash = createHash('sha256').update(bytes).digest('hex')
  const record = await deps.keys.findRecord({ mode, hash, file: 'pdf' })
  const embedded = await readEmbedded(bytes)
  if (record !== undefined) {
    // An issuer can embed anything in a PDF: show it only if its hash was recorded with that of the PDF.
    const certificate = embedded?.hash === recordedHashes(record).jsonHash ? embedded : undefined
    return {
      isValid: true,
      mode,
      matched: 'pdf',
      hash: sha256Hex(hash),
      summary: certificate === undefined ? {} : summarize(certificate),
      ...(await factsOf(deps, { mode, hash, record, certificate })),
    }
  }
  if (embedded === undefined) return notFound(mode, hash)
  const isValid = (await deps.keys.findRecord({ mode, hash: embedded.hash, file: 'json' })) !== undefined
  return { ...notFound(mode, hash), embedded: { isValid, hash: sha256Hex(embedded.hash) } }
}

const notFound = (mode: Mode, hash: string): Verification => ({
  isValid: false,
  verdict: 'notFound',
  mode,
  hash: sha256Hex(hash),
})

/** Undefined for an attachment that is not a certificate: a PDF may embed anything. */
const readEmbedded = async (pdf: Uint8Array): Promise<Certificate | undefined> => {
  const bytes = await extractEmbeddedCertificate(pdf)
  if (bytes === undefined) return undefined
  try {
    return readDocument(bytes)
  } catch {
    return undefined
  }
}

type Found = {
  readonly mode: Mode
  readonly hash: string
  readonly record: LedgerRecord
  /** Undefined if a PDF does not contain the one that was recorded with it. */
  readonly certificate: Certificate | undefined
}

type Facts = Judgement &
  Pick<Verification, 'timestamp' | 'transactionId' | 'identity' | 'proof' | 'otherSeller' | 'message'>

/** As it was reviewed when it signed, or as its company is called here. */
const notaryOf = (
  { answers, issuer }: Judgement,
  known: KnownIssuer['identity'],
): { readonly name: string; readonly vatId: string | undefined } | undefined =>
  answers?.issuer === 'yes' && issuer?.name !== undefined
    ? { name: issuer.name, vatId: issuer.vatId }
    : known?.company

const factsOf = async (
  deps: CertificateDependencies,
  { mode, hash, record, certificate }: Found,
): Promise<Facts> => {
  const { keys, publicUrl } = deps
  const { issuerPublicKey: publicKey, transactionId, transaction, timestamp } = record
  const asked = subjectsOf(transaction)
  const [issuer, evidence] = await Promise.all([
    publicKey === undefined ? undefined : keys.findIssuer({ mode, publicKey }),
    keys.proveRecords({ mode, transactionIds: [transactionId], subjects: asked.subjects }),
  ])
  const entry = evidence?.entries.find((one) => one.transaction.id === transactionId)
  const known = issuer?.identity
  const judgement = await judge(deps, { mode, record, asked, issuer, evidence })
  return {
    ...judgement,
    ...remarkOnSeller(certificate, notaryOf(judgement, known)),
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
