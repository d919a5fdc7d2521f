import { checkpointIn, originOf, splitNote } from '@millseal/proof'
import type { Files, ReadableFiles } from '../../../ports/files/files.ts'

/**
 * Checkpoints with the lines of their cosigners: the newest that a quorum has cosigned, and the newest that all who could
 * be asked have cosigned without being a quorum.
 */
export const cosignedFiles = { byQuorum: 'cosigned', byFewer: 'partly-cosigned' } as const

export type CosignedFile = (typeof cosignedFiles)[keyof typeof cosignedFiles]

/** Undefined if no checkpoint of the log with this name was cosigned by a quorum. */
export const readCosigned = async (files: ReadableFiles, origin: string): Promise<string | undefined> => {
  const note = await readText(files, cosignedFiles.byQuorum)
  // A log that continues under a new name keeps the file of the old one until a quorum has cosigned the new one.
  return note === undefined || originOf(note) !== origin ? undefined : note
}

/** The checkpoint with the lines that were collected for it. */
export const withCosignatures = async (files: ReadableFiles, note: string): Promise<string> => {
  const { text } = splitNote(note)
  for (const name of Object.values(cosignedFiles)) {
    const found = await readText(files, name)
    if (found !== undefined && splitNote(found).text === text) return found
  }
  return note
}

/** Keeps a checkpoint with more entries, which only a later writer of the log can have written. */
export const writeCosigned = async (files: Files, name: CosignedFile, note: string): Promise<void> => {
  const expected = await files.read(name)
  const present = expected?.toString('utf8')
  const isLater =
    present !== undefined &&
    originOf(present) === originOf(note) &&
    checkpointIn(present).size > checkpointIn(note).size
  if (!isLater) await files.replace({ name, expected, bytes: Buffer.from(note) })
}

const readText = async (files: ReadableFiles, name: CosignedFile): Promise<string | undefined> =>
  (await files.read(name))?.toString('utf8')
