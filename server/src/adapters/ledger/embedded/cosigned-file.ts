import { checkpointIn, originOf } from '@millseal/proof'
import type { Files, ReadableFiles } from '../../../ports/files/files.ts'

/** The newest checkpoint that a quorum has cosigned, with the lines of its cosigners. */
const fileName = 'cosigned'

/** Undefined if no checkpoint of the log with this name was cosigned by a quorum. */
export const readCosigned = async (files: ReadableFiles, origin: string): Promise<string | undefined> => {
  const note = (await files.read(fileName))?.toString('utf8')
  // A log that continues under a new name keeps the file of the old one until a quorum has cosigned the new one.
  return note === undefined || originOf(note) !== origin ? undefined : note
}

/** Keeps a checkpoint with more entries, which only a later writer of the log can have written. */
export const writeCosigned = async (files: Files, note: string): Promise<void> => {
  const expected = await files.read(fileName)
  const present = expected?.toString('utf8')
  const isLater =
    present !== undefined &&
    originOf(present) === originOf(note) &&
    checkpointIn(present).size > checkpointIn(note).size
  if (!isLater) await files.replace({ name: fileName, expected, bytes: Buffer.from(note) })
}
