import { utf8 } from '../encoding/bytes.ts'
import { type JsonValue, readJson } from '../json/read.ts'
import { canonicalLedgerText } from '../ledger/canonical.ts'
import { isLogTime } from './checkpoint.ts'
import { NoteRefused } from './note.ts'

/** What a leaf of the log contains. Logs that are older than format 2 begin with entries without a time. */
export type LogEntry<T = object> = { readonly transaction: T; readonly time?: string | undefined }

const newline = 0x0a
/** `verifyTransaction` checks the nesting again. */
const maxDepth = 64

export const writeLogEntry = ({ transaction, time }: LogEntry): Uint8Array =>
  logEntryOf(canonicalLedgerText(transaction), time)

/** The canonical text of the transaction, and the time on a second line: docs/bundle.md. */
export const logEntryOf = (text: string, time: string | undefined): Uint8Array =>
  utf8(time === undefined ? text : `${text}\n${time}`)

/** Does not verify the transaction. Throws `NoteRefused` or `JsonError`. */
export const readLogEntry = (bytes: Uint8Array): LogEntry<JsonValue> => {
  const end = bytes.indexOf(newline)
  if (end < 0) return { transaction: readJson(bytes, { maxDepth }) }
  const time = new TextDecoder().decode(bytes.subarray(end + 1))
  if (!isLogTime(time)) throw new NoteRefused('The entry has a malformed time')
  return { transaction: readJson(bytes.subarray(0, end), { maxDepth }), time }
}
