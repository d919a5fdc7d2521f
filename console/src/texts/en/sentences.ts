import type { Templates } from '@millseal/contract/reason-words'

const plainFormats: ReadonlyMap<unknown, string> = new Map([
  ['date', 'must be a date such as 2026-11-22'],
  ['uri', 'must be a web address'],
  ['url', 'must be a web address'],
  ['email', 'must be an e-mail address'],
])

/** Where plainer words are better than those of the server, which are English too. */
export const texts: Templates = {
  schema_required: 'is missing “{name}”',
  schema_not_allowed: 'must not contain “{name}”',
  schema_type: 'must be {type}',
  either_type: '{one} or {other}',
  type_string: 'text',
  type_number: 'a number, without quotation marks',
  type_integer: 'a whole number',
  type_boolean: 'true or false',
  type_array: 'a list',
  type_object: 'a group of fields',
  type_null: 'null',
  schema_format: ({ format }) => plainFormats.get(format) ?? 'must be a valid {format}',
}
