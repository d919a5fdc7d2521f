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

export type Judgement = {
  readonly isValid: boolean
  readonly file: FileHash
  /** None where nobody has a bundle of this file. */
  readonly checks: readonly Check[]
}

export type Verdict = Judgement & {
  /** A PDF that is not the notarized one may still carry the certificate that is. */
  readonly embedded?: Judgement
  readonly bundle?: JsonValue
}

type Question = {
  readonly file: CertificateFile
  readonly policy: TrustPolicy
  /** By the hash of a file; undefined where there is none. */
  readonly findBundle: (hash: string) => Promise<JsonValue | undefined>
}

export const judge = async ({ file, policy, findBundle }: Question): Promise<Verdict> => {
  const ask = async (hash: FileHash) => {
    const bundle = await findBundle(hash.hash)
    if (bundle === undefined) return { judgement: { isValid: false, file: hash, checks: [] }, bundle }
    const { isValid, checks } = verifyBundle({ file: hash, bundle, policy }, portablePrimitives)
    return { judgement: { isValid, file: hash, checks }, bundle }
  }
  const { judgement, bundle } = await ask(file.hash)
  const carried = isIntact(judgement) || file.hash.kind === 'json' ? undefined : await embeddedIn(file.bytes)
  if (carried === undefined) return { ...judgement, ...(bundle === undefined ? {} : { bundle }) }
  const second = await ask(carried)
  const kept = bundle ?? second.bundle
  return { ...judgement, embedded: second.judgement, ...(kept === undefined ? {} : { bundle: kept }) }
}

/** Whether anything is known of the file, or of the certificate that it carries. */
export const isOnLedger = ({ checks, embedded }: Verdict): boolean =>
  checks.length > 0 || (embedded?.checks.length ?? 0) > 0

const isIntact = ({ checks }: Judgement): boolean =>
  checks.some(({ name, outcome }) => name === 'file' && outcome === 'passed')

const embeddedIn = async (pdf: Uint8Array): Promise<FileHash | undefined> => {
  const bytes = await extractEmbeddedCertificate(pdf)
  if (bytes === undefined) return undefined
  try {
    return hashOfJson(bytes, 'What the PDF carries')
  } catch {
    return undefined
  }
}
