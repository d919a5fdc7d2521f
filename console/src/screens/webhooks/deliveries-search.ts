import { oneOf, type Read, textOf } from '../../ui/list/read-search.ts'
import { type EventName, eventNames } from './scopes.ts'

const outcomes = ['arrived', 'missing'] as const

/** The filters of the list, as they are in the address. */
export type DeliveriesSearch = {
  /** The id of an event, or words about its subject. */
  readonly text?: string | undefined
  readonly outcome?: (typeof outcomes)[number] | undefined
  readonly event?: EventName | undefined
}

export const readDeliveriesSearch = (search: Read): DeliveriesSearch => ({
  text: textOf(search['text']),
  outcome: oneOf(outcomes, search['outcome']),
  event: oneOf(eventNames, search['event']),
})
