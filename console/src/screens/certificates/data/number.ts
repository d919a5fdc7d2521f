import type { Certificate } from '@millseal/contract'

/** A certificate is called by its number; without one, by the beginning of its hash. */
export const numberOf = ({ summary, hash }: Certificate): string =>
  summary?.identifier ?? hash.value.slice(0, 12)
