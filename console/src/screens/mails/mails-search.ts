import { oneOf, type Read, textOf } from '../../ui/list/read-search.ts'

const outcomes = ['sent', 'unsent'] as const
export type Outcome = (typeof outcomes)[number]

/** The filters of the list, as they are in the address. */
export type MailsSearch = {
  /** Words of the address or the subject. */
  readonly text?: string | undefined
  readonly outcome?: Outcome | undefined
}

export const readMailsSearch = (search: Read): MailsSearch => ({
  text: textOf(search['text']),
  outcome: oneOf(outcomes, search['outcome']),
})
