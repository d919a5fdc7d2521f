import type { Certificate } from '@millseal/contract'

/** The states that the list can be filtered by. */
export const certificateStates = [
  'awaitingRelease',
  'accepted',
  'running',
  'notarized',
  'failed',
] as const satisfies readonly Certificate['state'][]
