import { because } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import type { Query } from '../../../ports/database/database.ts'
import {
  findLastGiven,
  findNewestPosition,
  findStretch,
  type PlacedEvent,
  type Stretch,
} from './sequence.store.ts'

export type Part = { readonly events: readonly PlacedEvent[]; readonly position: number }

/** The newest is asked first: all that has a position up to there can be read then. */
export const readSequence = async (query: Query, stretch: Stretch): Promise<Part> => {
  const newest = await findNewestPosition(query, stretch.companyId)
  if (stretch.after > newest) {
    await assertGiven(query, stretch.after)
    return { events: [], position: stretch.after }
  }
  const { events, isCut } = await findStretch(query, { ...stretch, newest })
  return { events, position: isCut ? (events.at(-1)?.position ?? newest) : newest }
}

/** After a restore from a backup, positions are given again: what follows a later one would be skipped. */
const assertGiven = async (query: Query, position: number): Promise<void> => {
  const last = await findLastGiven(query)
  if (position <= last) return
  throw new Problem('validation_failed', {
    reasons: [because('position_not_given', { position, last, place: 'query/after' })],
  })
}
