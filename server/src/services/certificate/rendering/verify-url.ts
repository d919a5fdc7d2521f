import type { Mode } from '@millseal/contract'

/** What the QR code of a rendering leads to. */
export const verifyUrlOf = (
  { publicUrl }: { readonly publicUrl: () => string },
  { mode, hash }: { readonly mode: Mode; readonly hash: string },
): string => `${publicUrl()}/verify?mode=${mode}#${hash}`
