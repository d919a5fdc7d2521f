import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mode } from '@millseal/contract'
import {
  type Checkpoint,
  encodeHex,
  nodesOf,
  type NoteKey,
  proveConsistency,
  readNodesFromTiles,
  verifyCheckpoint,
  verifyConsistency,
} from '@millseal/proof'
import type { Logger } from 'pino'
import { nodePrimitives } from '@millseal/proof/node'
import { isMissing, readIfPresent, replaceDurably } from '../../files/durable-files.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import type { TileFolder } from './tile-folder.ts'

/**
 * The newest checkpoint of each log, in a folder that no backup contains: after a restore of an older backup it shows which
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
  readonly folder: string
  readonly mode: Mode
  readonly log: Pick<Logger, 'warn'>
}

export const createKnownCheckpoints = (options: Options): KnownCheckpoints => {
  const { folder: known, mode } = options
  const warning = createWarning(options)
  let newest: { readonly path: string; readonly note: string } | undefined
  let writing = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const write = async (): Promise<void> => {
    const wanted = newest
    newest = undefined
    if (wanted === undefined) return
    try {
      await mkdir(known, { recursive: true, mode: 0o700 })
      await replaceDurably(wanted.path, Buffer.from(wanted.note))
      warning.clear()
    } catch (error) {
      warning.warn(error)
    }
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
      const path = pathOf(known, mode, key)
      const found = await readKnown(path).catch(warning.warn)
      if (found?.successor !== undefined)
        throw new LedgerDamaged(
          `The ${mode} log of ${checkpoint?.size ?? 0} entries was continued as ${found.successor}: the data folder is an older copy. ${waysOn(mode)}`,
        )
      if (found?.note === undefined) return
      await assertExtends(folder, { mode, checkpoint, known: readNote(found.note, { path, key }) })
    },
    offer(key, note) {
      newest = { path: pathOf(known, mode, key), note }
      timer ??= setTimeout(() => void flush(), spacingMs)
    },
    flush,
    [Symbol.asyncDispose]: flush,
  }
}

const createWarning = ({ folder, mode, log }: Options) => {
  let text: string | undefined
  return {
    get text() {
      return text
    },
    warn(error: unknown): undefined {
      if (text === undefined) log.warn({ err: error, mode, folder }, 'known checkpoints cannot be stored')
      text = `known checkpoints cannot be stored in ${folder}: ${messageOf(error)}`
    },
    clear(): void {
      text = undefined
    },
  }
}

/** One file per key: a log that continues with a new key starts again. */
const pathOf = (known: string, mode: Mode, { keyId }: NoteKey): string =>
  join(known, `${mode}-${encodeHex(keyId)}.checkpoint`)

type Known = { readonly note: string | undefined; readonly successor: string | undefined }

const readKnown = async (path: string): Promise<Known> => {
  const read = async (file: string) => (await readIfPresent(file))?.toString('utf8')
  return { note: await read(path), successor: (await read(`${path}${continued}`))?.trim() }
}

/** Names the log that continues the one of this key. */
const continued = '.continued-as'

/** From now on, an older copy of the log with this key is refused. */
export const markContinued = async (
  known: string,
  { mode, key, as }: { readonly mode: Mode; readonly key: NoteKey; readonly as: string },
): Promise<void> => {
  await mkdir(known, { recursive: true, mode: 0o700 })
  await replaceDurably(`${pathOf(known, mode, key)}${continued}`, Buffer.from(`${as}\n`))
}

/** The names of all logs of this mode that the folder knows. */
export const listKnownNames = async (known: string, mode: Mode): Promise<readonly string[]> => {
  const files = await readdir(known).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  const own = files.filter((name) => name.startsWith(`${mode}-`))
  const texts = await Promise.all(own.map((name) => readIfPresent(join(known, name))))
  return texts.flatMap((text) => text?.toString('utf8').split('\n', 1)[0] ?? [])
}

const readNote = (
  note: string,
  { path, key }: { readonly path: string; readonly key: NoteKey },
): Checkpoint => {
  try {
    return verifyCheckpoint(note, key, nodePrimitives)
  } catch (cause) {
    throw new LedgerDamaged(`${path} is not a checkpoint of this log: ${messageOf(cause)}`, { cause })
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
  if (await isExtension(folder, { checkpoint, known })) return
  throw new LedgerDamaged(
    `The first ${known.size} of the ${size} entries of the ${mode} log are not those of its newest known checkpoint. ${waysOn(mode)}`,
  )
}

const isExtension = async (
  folder: TileFolder,
  { checkpoint: { size, root }, known }: { readonly checkpoint: Checkpoint; readonly known: Checkpoint },
): Promise<boolean> => {
  const read = readNodesFromTiles({
    size,
    readTile: async (place) => nodesOf(await folder.readTile(place), nodePrimitives),
  })
  const growth = { oldSize: known.size, newSize: size }
  const proof = await proveConsistency(growth, { read, hashing: nodePrimitives })
  return verifyConsistency({ ...growth, oldRoot: known.root, newRoot: root, proof }, nodePrimitives)
}

const waysOn = (mode: Mode): string =>
  `Nothing is appended. Restore a newer copy, or let the log continue under a new name: millseal log continue-as-new --mode ${mode}`

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
