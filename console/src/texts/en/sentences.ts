import type { Sentences } from '@millseal/contract/in-words'

/** Plainer words for sentences of the server. */
export const texts: Sentences = [
  [/^is missing "(.+)"$/, 'is missing “$1”'],
  [/^must not contain "(.+)"$/, 'must not contain “$1”'],
  [/^must be a string$/, 'must be text'],
  [/^must be a number$/, 'must be a number, without quotation marks'],
  [/^must be an integer$/, 'must be a whole number'],
  [/^must be an array$/, 'must be a list'],
  [/^must be an object$/, 'must be a group of fields'],
  [/^must be a valid date$/, 'must be a date such as 2026-11-22'],
  [/^must be a valid (uri|url)$/, 'must be a web address'],
  [/^must be a valid email$/, 'must be an e-mail address'],
]
