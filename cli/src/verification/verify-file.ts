import {
  type FileHash,
  type JsonValue,
  type Report,
  type TrustPolicy,
  verifyBundle,
} from '@millseal/proof/verifier'
import { nodePrimitives } from '@millseal/proof/node'
import { type CertificateFile, hashOfJson } from './read-file.ts'

export type FileVerification = Report & { readonly file: FileHash }

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
  const isOther = whole.verdict === 'altered' || whole.verdict === 'notFound'
  const embedded = isOther && file.hash.kind === 'pdf' ? await hashOfEmbedded(file.bytes) : undefined
  if (embedded === undefined) return whole
  const { bundle, ...inner } = await verifyHash(embedded, question)
  return { ...whole, embedded: inner, bundle: whole.bundle ?? bundle }
}

const verifyHash = async (file: FileHash, { policy, findBundle }: Question): Promise<Verification> => {
  const bundle = await findBundle(file.hash)
  if (bundle === undefined) return { ...notFound, file }
  return { ...verifyBundle({ file, bundle, policy }, nodePrimitives), file, bundle }
}

const notFound: Report = {
  verdict: 'notFound',
  answers: { unchanged: 'unknown', issuer: 'unknown', time: 'unknown', status: 'unknown' },
  checks: [],
}

/** Whether the ledger contains the file or the certificate inside it. */
export const isOnLedger = ({ verdict, embedded }: Verification): boolean =>
  verdict !== 'notFound' || (embedded !== undefined && embedded.verdict !== 'notFound')

const hashOfEmbedded = async (pdf: Uint8Array): Promise<FileHash | undefined> => {
  const { extractEmbeddedCertificate } = await import('@millseal/proof')
  const bytes = await extractEmbeddedCertificate(pdf)
  if (bytes === undefined) return undefined
  try {
    return hashOfJson(bytes, 'The certificate in the PDF')
  } catch {
    return undefined
  }
}
