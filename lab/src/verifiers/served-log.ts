import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeBase58 } from '../../../proof/src/encoding/base58.ts'
import { utf8 } from '../../../proof/src/encoding/bytes.ts'
import { ownerOf } from '../../../proof/src/ledger/owners.fixture.ts'
import { type Checkpoint, signCheckpoint } from '../../../proof/src/log/checkpoint.ts'
import { emptyTree, growTree, rootOf } from '../../../proof/src/log/growing-tree.ts'
import { type Hash, leafHash } from '../../../proof/src/log/merkle-hash.ts'
import { formatNoteKey, noteKey } from '../../../proof/src/log/note.ts'
import { tilePath, tileWidth } from '../../../proof/src/log/tiles.ts'
import { nodePrimitives } from '@millseal/proof/node'

const owner = ownerOf(77)
const root = (hashes: readonly Hash[]): Hash =>
  rootOf(growTree(emptyTree, hashes, nodePrimitives).tree, nodePrimitives)

/** A log over HTTP, in the files of C2SP tlog-tiles. Unlike an honest one, it publishes whatever it is given. */
export const serveLog = async (origin: string) => {
  const key = noteKey(origin, decodeBase58(owner.publicKey), nodePrimitives)
  const files = new Map<string, Uint8Array | string>()
  const server = createServer(({ url = '' }, response) => {
    const content = files.get(url.slice(1))
    response.writeHead(content === undefined ? 404 : 200).end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    vkey: formatNoteKey(key),
    files,
    /** Replaces all files, and returns the checkpoint, which also says `more`. */
    async publish(
      entries: readonly string[],
      more: Pick<Checkpoint, 'time' | 'operator' | 'status'> = {},
    ): Promise<string> {
      files.clear()
      const leaves = entries.map((entry) => leafHash(utf8(entry), nodePrimitives))
      writeTiles(leaves, files)
      const signer = { key, sign: owner.sign }
      const head = { ...more, origin, size: leaves.length, root: root(leaves) }
      const checkpoint = await signCheckpoint(head, signer)
      files.set('checkpoint', checkpoint)
      return checkpoint
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const writeTiles = (leaves: readonly Hash[], files: Map<string, Uint8Array | string>): void => {
  for (let level = 0, hashes = leaves; hashes.length > 0; level += 1) {
    const above: Hash[] = []
    for (let index = 0; index * tileWidth < hashes.length; index += 1) {
      const tile = hashes.slice(index * tileWidth, (index + 1) * tileWidth)
      files.set(tilePath({ level, index, width: tile.length }), Buffer.concat(tile))
      if (tile.length === tileWidth) above.push(root(tile))
    }
    hashes = above
  }
}

/** Entries that differ in the one at `changed`, if any. */
export const entriesOf = (count: number, changed?: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => (at === changed ? `another ${at}` : `entry ${at}`))
