import type { Certificate } from '@millseal/contract'

/** The states that the list can be narrowed to. */
export const certificateStates = [
  'accepted',
  'running',
  'notarized',
  'failed',
] as const satisfies readonly Certificate['state'][]
