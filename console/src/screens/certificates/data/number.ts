import type { Certificate } from '@millseal/contract'

/** The number of a certificate, or the beginning of its hash if it has none. */
export const numberOf = ({ summary, hash }: Certificate): string =>
  summary?.identifier ?? hash.value.slice(0, 12)
