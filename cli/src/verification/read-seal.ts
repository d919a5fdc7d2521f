import { SealRefused, verifySeal } from '@millseal/proof'
import type { TrustPolicy } from '@millseal/proof/verifier'
import { readAuthorities } from './read-stamps.ts'

/** What the seal of a PDF says, and whether it is intact. */
export type SealResult =
  | {
      readonly isIntact: true
      readonly signer: string
      readonly issuer: string
      /** By the clock of the signer. */
      readonly claimedAt: string
      readonly level: 'B-B' | 'B-T'
      /** By an authority that the user trusts. */
      readonly stamped: { readonly before: string; readonly authority: string } | undefined
    }
  | { readonly isIntact: false; readonly why: string }

/** Undefined without a seal. Who issued its certificate is not judged: PDF readers have lists of issuers. */
export const readSeal = async (
  pdf: Uint8Array,
  path: string | undefined,
  policy: TrustPolicy,
): Promise<SealResult | undefined> => {
  const authorities = await readAuthorities(path, policy)
  try {
    const seal = verifySeal(pdf, authorities)
    return seal && { isIntact: true, ...seal }
  } catch (error) {
    if (!(error instanceof SealRefused)) throw error
    return { isIntact: false, why: error.message }
  }
}

export const sealWords = (seal: SealResult): string => {
  if (!seal.isIntact) return seal.why
  const { signer, issuer, claimedAt, level, stamped } = seal
  const time =
    stamped === undefined
      ? `on ${claimedAt} by its own clock`
      : `before ${stamped.before}, says ${stamped.authority}`
  return `Sealed by ${signer} ${time}; PAdES ${level}. The certificate is of ${issuer}, whom this command does not judge`
}
