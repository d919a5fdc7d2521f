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

/** For anybody: what is not on the ledger is answered, not refused. */
export const verify =
  (deps: CertificateDependencies) =>
  async ({
    body,
    mode,
  }: Pick<Call<typeof operations.verifyCertificate>, 'body' | 'mode'>): Promise<Verification> =>
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

/** By its bytes: a PDF that was saved again is another file. What is embedded in it is then offered as a second check. */
const verifyPdf = async (
  deps: CertificateDependencies,
  mode: Mode,
  bytes: Uint8Array,
): Promise<Verification> => {
  const hash = createHash('sha256').update(bytes).digest('hex')
  const record = await deps.keys.findRecord({ mode, hash, file: 'pdf' })
  const embedded = await readEmbedded(bytes)
  if (record !== undefined) {
    // Whoever recorded a PDF may have put anything into it: only what is recorded with it is told of it.
    const isItsOwn = embedded?.hash === recordedHashes(record).jsonHash
    return {
      isValid: true,
      matched: 'pdf',
      hash: sha256Hex(hash),
      summary: embedded !== undefined && isItsOwn ? summarize(embedded) : {},
      ...(await factsOf(deps, { mode, hash, record })),
    }
  }
  if (embedded === undefined) return { isValid: false, hash: sha256Hex(hash) }
  const isValid = (await deps.keys.findRecord({ mode, hash: embedded.hash, file: 'json' })) !== undefined
  return { isValid: false, hash: sha256Hex(hash), embedded: { isValid, hash: sha256Hex(embedded.hash) } }
}

/** A PDF of strangers may hold anything: what is no certificate is not there. */
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
  const [issuer, evidence] = await Promise.all([
    record.issuerPublicKey === undefined
      ? undefined
      : keys.findPublicIdentity({ mode, publicKey: record.issuerPublicKey }),
    keys.prove({ mode, transactionId: record.transactionId }),
  ])
  return {
    timestamp: record.timestamp.toISOString(),
    transactionId: record.transactionId,
    ...(issuer === undefined
      ? {}
      : {
          identity: { id: issuer.id, publicKey: issuer.publicKey, did: issuer.did },
          company: { name: issuer.company.name },
        }),
    ...(evidence === undefined
      ? {}
      : {
          proof: {
            url: `${publicUrl()}/api/certificates/proof/${hash}?mode=${mode}`,
            logIndex: evidence.index,
            checkpoint: evidence.checkpoint,
          },
        }),
  }
}
