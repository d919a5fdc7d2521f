import {
  extractEmbeddedCertificate,
  type FileHash,
  type JsonValue,
  otherSellerRemark,
  type Reading,
  type Report,
  type TrustPolicy,
  verifyBundle,
} from '@millseal/proof/verifier'
import { nodePrimitives } from '@millseal/proof/node'
import { type CertificateFile, PolicyInside, readCertificateJson } from './read-file.ts'

export type FileVerification = Report & {
  readonly file: FileHash
  /** What a reader should know besides the verdict, in a sentence. */
  readonly remark?: string
}

export type Verification = FileVerification & {
  /** The certificate inside a PDF, verified if the PDF itself is not the notarized one. */
  readonly embedded?: FileVerification | undefined
  readonly bundle?: JsonValue | undefined
}

type Question = {
  readonly reading: Reading
  readonly file: CertificateFile
  readonly policy: TrustPolicy
  /** Finds a bundle by the hash of a file. */
  readonly findBundle: (hash: string) => Promise<JsonValue | undefined>
}

export const verifyFile = async (question: Question): Promise<Verification> => {
  const { file } = question
  const whole = await verifyHash(file.hash, question)
  if (file.json !== undefined) return withRemark(whole, file.json)
  const inside = await readEmbedded(file.bytes)
  if (inside === undefined) return whole
  if (typeof inside === 'string') return { ...whole, remark: inside }
  const isOther = whole.verdict === 'altered' || whole.verdict === 'notFound'
  if (!isOther) {
    // An issuer can embed anything in a PDF: only the certificate that was recorded with it counts.
    const recorded = await verifyHash(inside.hash, { ...question, findBundle: async () => whole.bundle })
    return recorded.answers.unchanged === 'yes' ? withRemark(whole, inside.json) : whole
  }
  const { bundle, ...inner } = withRemark(await verifyHash(inside.hash, question), inside.json)
  const original = whole.bundle ?? bundle
  return { ...againstOriginal(whole, original, question), embedded: inner, bundle: original }
}

/** The certificate inside leads to the notarized original of a PDF that nothing is recorded for. */
const againstOriginal = (
  whole: Verification,
  original: JsonValue | undefined,
  { policy, reading }: Question,
): FileVerification => {
  if (original === undefined || whole.verdict !== 'notFound') return whole
  const { file } = whole
  return { ...verifyBundle({ file, bundle: original, policy, ...reading }, nodePrimitives), file }
}

const withRemark = (verification: Verification, certificate: JsonValue): Verification => {
  const remark = otherSellerRemark(verification, certificate)
  return remark === undefined ? verification : { ...verification, remark }
}

const verifyHash = async (
  file: FileHash,
  { policy, findBundle, reading }: Question,
): Promise<Verification> => {
  const bundle = await findBundle(file.hash)
  if (bundle === undefined) return { ...notFound, file }
  return { ...verifyBundle({ file, bundle, policy, ...reading }, nodePrimitives), file, bundle }
}

const notFound: Report = {
  verdict: 'notFound',
  answers: { unchanged: 'unknown', issuer: 'unknown', time: 'unknown', status: 'unknown' },
  checks: [],
}

/** Whether the ledger contains the file or the certificate inside it. */
export const isOnLedger = ({ verdict, embedded }: Verification): boolean =>
  verdict !== 'notFound' || (embedded !== undefined && embedded.verdict !== 'notFound')

/** A sentence instead, if a trust policy is in the PDF: who sends a file must not choose whom the reader trusts. */
const readEmbedded = async (
  pdf: Uint8Array,
): Promise<ReturnType<typeof readCertificateJson> | string | undefined> => {
  const bytes = await extractEmbeddedCertificate(pdf)
  if (bytes === undefined) return undefined
  try {
    return readCertificateJson(bytes, 'The certificate in the PDF')
  } catch (error) {
    if (error instanceof PolicyInside)
      return `Ignored: a trust policy is inside the PDF. It would trust ${error.whom}. To use it, save it and pass it with --policy`
    return undefined
  }
}
