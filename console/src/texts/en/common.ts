import type { Sentences } from '../in-words.ts'

export const texts = {
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  saved: 'Saved',
  copy: 'Copy',
  copied: 'Copied',
  tryAgain: 'Try again',
  loading: 'Loading …',
  more: 'More',
  /** Why a delivery or a mail failed: the sentences of the server. */
  failures: [] as Sentences,
  requestId: 'Request',
  optional: 'optional',
  unreachable: 'The server does not answer. Check your connection, then try again.',
  unexpected: (status: number) => `The server answered with an unexpected error (${status}).`,
  typeToConfirm: (name: string) => `Type ${name} to confirm`,
  test: 'Test',
  live: 'Live',
  yes: 'Yes',
  no: 'No',
  lists: {
    searchKey: 'Press / to search',
    clear: 'Clear all filters',
    more: 'Show more',
    of: (shown: string, total: string) => `${shown} of ${total}`,
    ofMore: (shown: string, total: string) => `${shown} of more than ${total}`,
    nothing: 'Nothing matches',
    nothingText: 'Nothing here matches what you search for. Other words or fewer filters find more.',
  },
}
