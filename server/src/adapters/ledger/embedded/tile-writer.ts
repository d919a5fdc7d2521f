import { entriesPath, type Tile, tilePath, writeEntries } from '@millseal/proof'
import type { Query } from '../../../ports/database/database.ts'
import type { NewFile, PreparedBatch } from '../../../ports/files/files.ts'
import { type Block, journalName, writeBlock } from './block-journal.ts'
import type { Bundle, OwnTileFolder } from './tile-folder.ts'

export type Extended = {
  readonly tiles: readonly Tile[]
  readonly bundles: readonly Bundle[]
  readonly block: Block
}

export type TileWriter = OwnTileFolder &
  AsyncDisposable & {
    /** The journal gets this length, and blocks are appended to it. Call this first. */
    openJournal(length: number): Promise<void>
    /** Resolves when everything is stored. It is not read before the checkpoint `note` replaces `expected`. */
    prepare(
      note: string,
      after: { readonly expected: string | undefined; readonly extended?: Extended },
    ): Promise<PreparedBatch>
    /** Deletes the unfinished predecessors of full tiles. */
    clean(tiles: readonly Tile[], bundles: readonly Bundle[]): Promise<void>
  }

/** For one writer at a time. `session`: the connection that holds the lock. */
export const openTileWriter = async (folder: OwnTileFolder, session: Query): Promise<TileWriter> => {
  const { files } = folder
  const writer = await files.openWriter(session, 'checkpoint')
  return {
    ...folder,
    openJournal: (length) => writer.cut(journalName, length),
    prepare(note, { expected, extended }) {
      const replaced = { expected: bytesOf(expected), bytes: Buffer.from(note) }
      if (extended === undefined) return writer.prepare({ files: [], replaced })
      const { tiles, bundles, block } = extended
      return writer.prepare({
        files: [...tiles.map(fileOfTile), ...bundles.map(fileOfBundle)],
        appended: { name: journalName, bytes: Buffer.from(writeBlock(block)) },
        replaced,
      })
    },
    async clean(tiles, bundles) {
      const full = [...tiles.map(tilePath), ...bundles.map(entriesPath)].filter(isFull)
      if (full.length > 0) await files.remove(full.map((path) => `${path}.p`))
    },
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  }
}

const bytesOf = (text: string | undefined): Uint8Array | undefined =>
  text === undefined ? undefined : Buffer.from(text)

const fileOfTile = (tile: Tile): NewFile => ({ name: tilePath(tile), bytes: Buffer.concat(tile.hashes) })
const fileOfBundle = (bundle: Bundle): NewFile => ({
  name: entriesPath(bundle),
  bytes: writeEntries(bundle.entries),
})
const isFull = (path: string): boolean => !/\.p\/\d+$/.test(path)
