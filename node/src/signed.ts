import { type Checkpoint, type NoteKey, splitNote, verifyCheckpoint } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'

/** A checkpoint that the log has signed. */
export type Signed = Checkpoint & {
  readonly note: string
  /** What signatures are over. */
  readonly text: string
  /** The signature of the log itself. */
  readonly line: string
}

/** Throws `NoteRefused` unless the key has signed it. */
export const readSigned = (note: string, key: NoteKey): Signed => {
  const checkpoint = verifyCheckpoint(note, key, nodePrimitives)
  const { text, lines } = splitNote(note)
  const line = lines.find((one) => isSignedWith(one, key)) ?? ''
  return { ...checkpoint, note: noteWith({ text, line }), text, line }
}

const isSignedWith = (line: string, { name, keyId }: NoteKey): boolean => {
  const start = `— ${name} `
  const bytes = Buffer.from(line.slice(start.length), 'base64')
  return line.startsWith(start) && bytes.subarray(0, keyId.length).equals(keyId)
}

/** The note without signatures of others, but with these lines. */
export const noteWith = (
  { text, line }: { readonly text: string; readonly line: string },
  lines: readonly string[] = [],
): string => `${text}\n${[line, ...lines].map((one) => `${one}\n`).join('')}`
