import type { Mode } from '@millseal/contract'

/** `submitted`: there are submissions for the writer; `answered`: the writer has decided some; `committed`: the height of a new block; `confirmed`: how many entries a quorum has confirmed. */
export const channels = ['submitted', 'answered', 'committed', 'confirmed'] as const
export type Channel = (typeof channels)[number]

export const channelOf = (mode: Mode, channel: Channel): string => `ledger_${mode}_${channel}`
