import type { Mode } from '@millseal/contract'
import type { CertificateDependencies } from '../dependencies.ts'

/** The address in the QR code of a rendering. */
export const verifyUrlOf = (
  { publicUrl }: CertificateDependencies,
  { mode, hash }: { readonly mode: Mode; readonly hash: string },
): string => `${publicUrl()}/verify?mode=${mode}#${hash}`
