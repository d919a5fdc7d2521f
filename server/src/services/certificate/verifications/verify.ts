import { isUtf8 } from 'node:buffer'
import type { Mode, operations, Verification } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { ReadFile } from '@millseal/families'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { sha256Hex } from '../hashing/hash.ts'
import { factsOf } from './facts.ts'
import { findEntry } from './find-entry.ts'
import { readStrangersFile } from './read-strangers-file.ts'
import { recordedHashes } from './recorded-hashes.ts'

/** A file that is not on the ledger is an answer, not an error. */
export const verify = async (
  deps: CertificateDependencies,
  { body, mode, client }: Call<typeof operations.verifyCertificate | typeof operations.verifyCertificateFile>,
): Promise<Verification> => {
  const read = await readStrangersFile(deps, body.bytes, client)
  return verifyRead(deps, mode, { read, bytes: body.bytes })
}

export const verifyRead = async (
  deps: CertificateDependencies,
  mode: Mode,
  { read, bytes }: { readonly read: ReadFile; readonly bytes: Uint8Array },
): Promise<Verification> => {
  const verification = await verifyDescribed(deps, mode, read)
  if (read.file === 'pdf' && !verification.isValid && wasReadAsText(bytes))
    throw new Problem('malformed_json', { reasons: [because('pdf_read_as_text')] })
  return verification
}

/** Of a file that was read, without its bytes. */
export const verifyDescribed = (
  deps: CertificateDependencies,
  mode: Mode,
  read: ReadFile,
): Promise<Verification> =>
  read.file === 'json' ? verifyJson(deps, mode, read) : verifyPdf(deps, mode, read)

/** A program in a browser that expects JSON may read any file as text, and so replaces what is not UTF-8. */
const wasReadAsText = (bytes: Uint8Array): boolean => isUtf8(bytes) && Buffer.from(bytes).includes('\ufffd')

const verifyJson = async (
  deps: CertificateDependencies,
  mode: Mode,
  certificate: Extract<ReadFile, { file: 'json' }>,
): Promise<Verification> => {
  const { hash, summary } = certificate
  const found = await findEntry(deps, { mode, hash, file: 'json' })
  if (found === undefined) return notFound(mode, hash)
  return {
    isValid: true,
    mode,
    matched: 'json',
    hash: sha256Hex(hash),
    summary,
    ...(await factsOf(deps, { mode, hash, ...found, certificate })),
  }
}

/** Compares bytes: a PDF that was saved again is another file. The embedded certificate then gives a second answer. */
const verifyPdf = async (
  deps: CertificateDependencies,
  mode: Mode,
  { hash, embedded }: Extract<ReadFile, { file: 'pdf' }>,
): Promise<Verification> => {
  const found = await findEntry(deps, { mode, hash, file: 'pdf' })
  if (found !== undefined) {
    // An issuer can embed anything in a PDF: show it only if its hash was recorded with that of the PDF.
    const certificate = embedded?.hash === recordedHashes(found.record).jsonHash ? embedded : undefined
    return {
      isValid: true,
      mode,
      matched: 'pdf',
      hash: sha256Hex(hash),
      summary: certificate?.summary ?? {},
      ...(await factsOf(deps, { mode, hash, ...found, certificate })),
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
