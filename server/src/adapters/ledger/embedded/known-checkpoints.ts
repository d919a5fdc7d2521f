import type { Mode } from '@millseal/contract'
import { type Checkpoint, encodeHex, type NoteKey, verifyCheckpoint } from '@millseal/proof'
import type { Logger } from 'pino'
import { nodePrimitives } from '@millseal/proof/node'
import type { Files } from '../../../ports/files/files.ts'
import { isExtension } from './extension.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import type { TileFolder } from './tile-folder.ts'

/**
 * The newest checkpoint of each log, in places that no backup contains: after a restore of an older backup they show which
 * entries are missing.
 */
export type KnownCheckpoints = AsyncDisposable & {
  /** Throws `LedgerDamaged` if the log on disk is shorter than the known checkpoint, or another one. */
  assertExtendedBy(
    folder: TileFolder,
    log: { readonly key: NoteKey; readonly checkpoint: Checkpoint | undefined },
  ): Promise<void>
  /** Stores the checkpoint soon, in the background. */
  offer(key: NoteKey, note: string): void
  /** Resolves when the newest offered checkpoint is stored. */
  flush(): Promise<void>
  /** Why checkpoints are not stored. */
  readonly warning: string | undefined
}

const spacingMs = 1_000

type Options = {
  readonly places: readonly Files[]
  readonly mode: Mode
  readonly log: Logger
}

export const createKnownCheckpoints = (options: Options): KnownCheckpoints => {
  const { places, mode } = options
  const warning = createWarning(options)
  let newest: { readonly name: string; readonly note: string } | undefined
  let writing = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const write = async (): Promise<void> => {
    const wanted = newest
    newest = undefined
    if (wanted === undefined) return
    const faults = await Promise.all(
      places.map((place) =>
        replaceText(place, wanted.name, wanted.note).then(() => undefined, warning.in(place)),
      ),
    )
    if (faults.every((fault) => fault === undefined)) warning.clear()
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }
  return {
    get warning() {
      return warning.text
    },
    async assertExtendedBy(folder, { key, checkpoint }) {
      await flush()
      const name = nameOf(mode, key)
      for (const place of places) {
        const found = await readKnown(place, name).catch(warning.in(place))
        if (found === undefined || found instanceof Error) continue
        if (found.successor !== undefined)
          throw new LedgerDamaged(
            `The ${mode} log of ${checkpoint?.size ?? 0} entries was continued as ${found.successor}: its files are an older copy. ${waysOn(mode)}`,
          )
        if (found.note === undefined) continue
        const known = readNote(found.note, { where: `${name} in ${place.place}`, key })
        await assertExtends(folder, { mode, checkpoint, known })
      }
    },
    offer(key, note) {
      newest = { name: nameOf(mode, key), note }
      timer ??= setTimeout(() => void flush(), spacingMs)
    },
    flush,
    [Symbol.asyncDispose]: flush,
  }
}

const createWarning = ({ mode, log }: Options) => {
  let text: string | undefined
  return {
    get text() {
      return text
    },
    in:
      ({ place }: Files) =>
      (error: unknown): Error => {
        if (text === undefined) log.warn({ err: error, mode, place }, 'known checkpoints cannot be stored')
        text = `known checkpoints cannot be stored in ${place}: ${messageOf(error)}`
        return new Error(text, { cause: error })
      },
    clear(): void {
      text = undefined
    },
  }
}

const replaceText = async (place: Files, name: string, text: string): Promise<void> =>
  place.replace({ name, expected: await place.read(name), bytes: Buffer.from(text) })

/** One file per key: a log that continues with a new key starts again. */
const nameOf = (mode: Mode, { keyId }: NoteKey): string => `${mode}-${encodeHex(keyId)}.checkpoint`

const readKnown = async (
  place: Files,
  name: string,
): Promise<{ readonly note: string | undefined; readonly successor: string | undefined }> => {
  const read = async (file: string) => (await place.read(file))?.toString('utf8')
  return { note: await read(name), successor: (await read(`${name}${continued}`))?.trim() }
}

/** Names the log that continues the one of this key. */
const continued = '.continued-as'

/** From now on, an older copy of the log with this key is refused. */
export const markContinued = async (
  places: readonly Files[],
  { mode, key, as }: { readonly mode: Mode; readonly key: NoteKey; readonly as: string },
): Promise<void> => {
  for (const place of places) await replaceText(place, `${nameOf(mode, key)}${continued}`, `${as}\n`)
}

/** The names of all logs of this mode that a place knows. */
export const listKnownNames = async (places: readonly Files[], mode: Mode): Promise<readonly string[]> => {
  const texts = places.map(async (place) => {
    const own = (await place.list()).filter((name) => name.startsWith(`${mode}-`))
    return await Promise.all(own.map((name) => place.read(name)))
  })
  return (await Promise.all(texts)).flat().flatMap((text) => text?.toString('utf8').split('\n', 1)[0] ?? [])
}

/** Keeps what is newer in `to`. */
export const copyKnownCheckpoints = async (from: Files, to: Files): Promise<void> => {
  for (const name of await from.list()) {
    const [bytes, present] = [await from.read(name), await to.read(name)]
    if (bytes !== undefined && (present === undefined || sizeIn(bytes) > sizeIn(present)))
      await to.replace({ name, expected: present, bytes })
  }
}

const sizeIn = (note: Buffer): number => Number(note.toString('utf8').split('\n')[1])

const readNote = (
  note: string,
  { where, key }: { readonly where: string; readonly key: NoteKey },
): Checkpoint => {
  try {
    return verifyCheckpoint(note, key, nodePrimitives)
  } catch (cause) {
    throw new LedgerDamaged(`${where} is not a checkpoint of this log: ${messageOf(cause)}`, { cause })
  }
}

const assertExtends = async (
  folder: TileFolder,
  {
    mode,
    checkpoint,
    known,
  }: { readonly mode: Mode; readonly checkpoint: Checkpoint | undefined; readonly known: Checkpoint },
): Promise<void> => {
  const size = checkpoint?.size ?? 0
  if (known.size > size)
    throw new LedgerDamaged(
      `The ${mode} log on disk has ${size} entries, but its newest known checkpoint has ${known.size}. ${waysOn(mode)}`,
    )
  if (known.size === 0 || checkpoint === undefined) return
  if (await isExtension(folder, { newer: checkpoint, older: known })) return
  throw new LedgerDamaged(
    `The first ${known.size} of the ${size} entries of the ${mode} log are not those of its newest known checkpoint. ${waysOn(mode)}`,
  )
}

const waysOn = (mode: Mode): string =>
  `Nothing is appended. Restore a newer copy, or let the log continue under a new name: millseal log continue-as-new --mode ${mode}`

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
