import { encodeBase64 } from '../encoding/base64.ts'
import { utf8 } from '../encoding/bytes.ts'
import { isLogTime, type TreeHead } from './checkpoint.ts'
import { NoteRefused } from './note.ts'

/** What a checkpoint says of its entries, beside its tree. */
export type LogStatement = { readonly time: string; readonly operator: string; readonly status: TreeHead }

const firstLine = 'millseal-state\n'

/** The last leaf of a checkpoint: the same root then means the same time, operator and status (docs/bundle.md). */
export const writeStateLeaf = ({ time, operator, status: { size, root } }: LogStatement): Uint8Array =>
  utf8(`${firstLine}time ${time}\noperator ${operator}\nstatus ${size} ${encodeBase64(root)}\n`)

/** Every other entry begins with a transaction. */
export const isStateLeaf = (entry: Uint8Array): boolean =>
  utf8(firstLine).every((byte, at) => entry[at] === byte)

/** Throws `NoteRefused` if the leaf has no time. The other lines are compared with what they must be. */
export const timeOfStateLeaf = (leaf: Uint8Array): string => {
  const [, time = ''] = /^time (.*)$/m.exec(new TextDecoder().decode(leaf)) ?? []
  if (!isLogTime(time)) throw new NoteRefused('The state leaf has a malformed time')
  return time
}
