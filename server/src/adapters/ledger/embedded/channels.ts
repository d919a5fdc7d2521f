import type { Mode } from '@millseal/contract'

/** `submitted`: something waits for the writer; `answered`: some of it was decided; `committed`: a block, by its height. */
export const channels = ['submitted', 'answered', 'committed'] as const
export type Channel = (typeof channels)[number]

export const channelOf = (mode: Mode, channel: Channel): string => `ledger_${mode}_${channel}`
