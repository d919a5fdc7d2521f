import type { CertificateDependencies } from '../dependencies.ts'
import { codeOf } from '../hashing/code.ts'

/** The address in the QR code of a rendering, short enough to be read from a bad copy. Its page finds out the mode. */
export const verifyUrlOf = (
  { publicUrl }: CertificateDependencies,
  { hash }: { readonly hash: string },
): string => `${publicUrl()}/v/${codeOf(hash)}`
