import { checkpointIn, decodeBase64, encodeBase64, originOf } from '@millseal/proof'
import type { Files, NewFile, ReadableFiles } from '../../../ports/files/files.ts'

/** A time stamp of a checkpoint. */
export type StoredStamp = {
  /** The name of the authority in the settings. */
  readonly authority: string
  /** The signed checkpoint. What is stamped is the SHA-256 of its text. */
  readonly checkpoint: string
  readonly token: Uint8Array
}

const folder = 'stamps'
/** So a file has about 70 kB and is read at once. */
const perFile = 32
/** An authority that has no stamp in these newest files is asked as if it had none. */
const filesForNewest = 4

/** One stamp a line, in the order in which they were made; the files have the names 1, 2 and so on. */
const nameOf = (number: number): string => `${folder}/${number}`

export const listStampFiles = async (files: ReadableFiles): Promise<readonly number[]> =>
  (await files.list(folder))
    .map((name) => Number(name.slice(folder.length + 1)))
    .filter(Number.isSafeInteger)
    .toSorted((one, other) => one - other)

const readStampText = async (files: ReadableFiles, number: number): Promise<string | undefined> =>
  (await files.read(nameOf(number)))?.toString('utf8')

export const readStampFile = async (files: ReadableFiles, number: number): Promise<readonly StoredStamp[]> =>
  ((await readStampText(files, number)) ?? '').split('\n').flatMap(readStamp)

/** Nothing if the line is damaged: a stamp only adds to what the log proves. */
const readStamp = (line: string): readonly StoredStamp[] => {
  try {
    const { authority, checkpoint, token } = JSON.parse(line)
    checkpointIn(checkpoint)
    return typeof authority === 'string' ? [{ authority, checkpoint, token: decodeBase64(token) }] : []
  } catch {
    return []
  }
}

const writeStamp = ({ authority, checkpoint, token }: StoredStamp): string =>
  `${JSON.stringify({ authority, checkpoint, token: encodeBase64(token) })}\n`

/** They are on disk when it resolves. */
export const appendStamps = async (files: Files, stamps: readonly StoredStamp[]): Promise<void> => {
  const newest = (await listStampFiles(files)).at(-1) ?? 1
  const present = await files.read(nameOf(newest))
  const isFull = (present?.toString('utf8').split('\n').length ?? 0) > perFile
  const before = isFull ? undefined : present
  const added = Buffer.from(stamps.map(writeStamp).join(''))
  const bytes = before === undefined ? added : Buffer.concat([before, added])
  await files.replace({ name: nameOf(isFull ? newest + 1 : newest), expected: before, bytes })
}

/** How many entries the newest stamped checkpoint of each authority has, of the log with this name. */
export const readStampedSizes = async (
  files: ReadableFiles,
  origin: string,
): Promise<Map<string, number>> => {
  const sizes = new Map<string, number>()
  for (const number of (await listStampFiles(files)).slice(-filesForNewest))
    for (const { authority, checkpoint } of await readStampFile(files, number))
      if (originOf(checkpoint) === origin) sizes.set(authority, checkpointIn(checkpoint).size)
  return sizes
}

/** The files for a copy of the log up to `size` entries: without the stamps of later checkpoints. */
export const copiedStamps = async function* (files: ReadableFiles, size: number): AsyncGenerator<NewFile> {
  for (const number of await listStampFiles(files)) {
    const stamps = await readStampFile(files, number)
    const kept = stamps.filter(({ checkpoint }) => checkpointIn(checkpoint).size <= size)
    yield { name: nameOf(number), bytes: Buffer.from(kept.map(writeStamp).join('')) }
  }
}
