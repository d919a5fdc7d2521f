import { type InboxAdvice, inboxAdvices, type InboxState, inboxStates } from '@millseal/contract/vocabulary'
import { oneOf, type Read, textOf } from '../../ui/list/read-search.ts'

export type DeskSearch = {
  readonly text?: string | undefined
  readonly state?: InboxState | 'all' | undefined
  readonly advice?: InboxAdvice | undefined
}

export const readDeskSearch = (search: Read): DeskSearch => ({
  text: textOf(search['text']),
  state: oneOf([...inboxStates, 'all'], search['state']),
  advice: oneOf(inboxAdvices, search['advice']),
})
