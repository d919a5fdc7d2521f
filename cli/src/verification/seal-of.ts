import type { TrustPolicy } from '@millseal/proof/verifier'
import type { CertificateFile } from './read-file.ts'

const mark = '/ETSI.CAdES.detached'

/** The seal of a PDF and its line for people. Most have none, and then the command loads nothing that reads it. */
export const sealOf = async (
  { hash, bytes }: CertificateFile,
  { roots, policy }: { readonly roots: string | undefined; readonly policy: TrustPolicy },
) => {
  if (hash.kind !== 'pdf' || !Buffer.from(bytes).includes(mark)) return undefined
  const { readSeal, sealWords } = await import('./read-seal.ts')
  const result = await readSeal(bytes, roots, policy)
  if (result === undefined) return undefined
  const outcome = result.isIntact ? ('passed' as const) : ('failed' as const)
  return { result, line: { outcome, says: sealWords(result) } }
}
