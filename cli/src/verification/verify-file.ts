import {
  type Check,
  extractEmbeddedCertificate,
  type FileHash,
  type JsonValue,
  portablePrimitives,
  type TrustPolicy,
  verifyBundle,
} from '@millseal/proof'
import { type CertificateFile, hashOfJson } from './read-file.ts'

export type FileVerification = {
  readonly isValid: boolean
  readonly file: FileHash
  /** Empty if there is no bundle for this file. */
  readonly checks: readonly Check[]
}

export type Verification = FileVerification & {
  /** The certificate inside a PDF, verified if the PDF itself is not the notarized one. */
  readonly embedded?: FileVerification | undefined
  readonly bundle?: JsonValue | undefined
}

type Question = {
  readonly file: CertificateFile
  readonly policy: TrustPolicy
  /** Finds a bundle by the hash of a file. */
  readonly findBundle: (hash: string) => Promise<JsonValue | undefined>
}

export const verifyFile = async (question: Question): Promise<Verification> => {
  const { file } = question
  const whole = await verifyHash(file.hash, question)
  const isIntact = whole.checks.some(({ name, outcome }) => name === 'file' && outcome === 'passed')
  const embedded = isIntact || file.hash.kind === 'json' ? undefined : await hashOfEmbedded(file.bytes)
  if (embedded === undefined) return whole
  const { bundle, ...inner } = await verifyHash(embedded, question)
  return { ...whole, embedded: inner, bundle: whole.bundle ?? bundle }
}

const verifyHash = async (file: FileHash, { policy, findBundle }: Question): Promise<Verification> => {
  const bundle = await findBundle(file.hash)
  if (bundle === undefined) return { isValid: false, file, checks: [] }
  const { isValid, checks } = verifyBundle({ file, bundle, policy }, portablePrimitives)
  return { isValid, file, checks, bundle }
}

/** Whether the ledger contains the file or the certificate inside it. */
export const isOnLedger = ({ checks, embedded }: Verification): boolean =>
  checks.length > 0 || (embedded?.checks.length ?? 0) > 0

const hashOfEmbedded = async (pdf: Uint8Array): Promise<FileHash | undefined> => {
  const bytes = await extractEmbeddedCertificate(pdf)
  if (bytes === undefined) return undefined
  try {
    return hashOfJson(bytes, 'The certificate in the PDF')
  } catch {
    return undefined
  }
}
