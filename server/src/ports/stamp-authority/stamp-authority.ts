import type { Stamped } from '@millseal/proof'

export type StampAnswer =
  /** Verified: it is about this hash, and the authority made it. */
  | { readonly kind: 'stamped'; readonly token: Uint8Array; readonly stamped: Stamped }
  /** It did not answer, or not with a time stamp that anybody could verify. Asking again does no harm. */
  | { readonly kind: 'unavailable'; readonly why: string }

/** Another organisation that signs when it saw a hash. */
export interface StampAuthority {
  readonly name: string
  /** Has a deadline of its own and never rejects: callers decide whether to ask again. */
  stamp(sha256: Uint8Array, signal: AbortSignal): Promise<StampAnswer>
}
