import { createHash } from 'node:crypto'
import type { Mode, operations, Verification } from '@millseal/contract'
import { type Certificate, summarize } from '@millseal/families'
import { extractEmbeddedCertificate, looksLikePdf } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import type { LedgerRecord } from '../../km/index.ts'
import { readDocument } from '../checking/read-document.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { sha256Hex } from '../hashing/hash.ts'
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
  if (record === undefined) return { isValid: false, hash: sha256Hex(hash) }
  return {
    isValid: true,
    matched: 'json',
    hash: sha256Hex(hash),
    summary: summarize(certificate),
    ...(await factsOf(deps, { mode, hash, record })),
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
    const isRecorded = embedded?.hash === recordedHashes(record).jsonHash
    return {
      isValid: true,
      matched: 'pdf',
      hash: sha256Hex(hash),
      summary: embedded !== undefined && isRecorded ? summarize(embedded) : {},
      ...(await factsOf(deps, { mode, hash, record })),
    }
  }
  if (embedded === undefined) return { isValid: false, hash: sha256Hex(hash) }
  const isValid = (await deps.keys.findRecord({ mode, hash: embedded.hash, file: 'json' })) !== undefined
  return { isValid: false, hash: sha256Hex(hash), embedded: { isValid, hash: sha256Hex(embedded.hash) } }
}

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

type Found = { readonly mode: Mode; readonly hash: string; readonly record: LedgerRecord }

const factsOf = async (
  { keys, publicUrl }: CertificateDependencies,
  { mode, hash, record }: Found,
): Promise<Pick<Verification, 'timestamp' | 'transactionId' | 'identity' | 'company' | 'proof'>> => {
  const { issuerPublicKey: publicKey, transactionId, timestamp } = record
  const [issuer, evidence] = await Promise.all([
    publicKey === undefined ? undefined : keys.findPublicIdentity({ mode, publicKey }),
    keys.prove({ mode, transactionId }),
  ])
  return {
    timestamp: timestamp.toISOString(),
    transactionId,
    identity: issuer && { id: issuer.id, publicKey: issuer.publicKey, did: issuer.did },
    company: issuer && { name: issuer.company.name },
    proof: evidence && {
      url: `${publicUrl()}/api/certificates/proof/${hash}?mode=${mode}`,
      logIndex: evidence.index,
      checkpoint: evidence.checkpoint,
    },
  }
}
