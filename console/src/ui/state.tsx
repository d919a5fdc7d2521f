import type { ReactNode } from 'react'

/** Each state is a word with a colour and a shape: disc, ring, triangle, square, diamond. */
export type StateKind = 'good' | 'wait' | 'bad' | 'gone' | 'swap'

export const State = ({ kind, children }: { readonly kind: StateKind; readonly children: ReactNode }) => (
  <span className={`state ${kind}`}>{children}</span>
)
