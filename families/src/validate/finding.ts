import type { Reason } from '@millseal/contract/reasons'

/** What is wrong at a place in a certificate. The label is the name of the place on paper. */
export type Finding = { readonly pointer: string; readonly reason: Reason; readonly label?: string }
