import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, normalize } from 'node:path'
import {
  type Checkpoint,
  emptyTree,
  formatNoteKey,
  growTree,
  type Hash,
  noteKey,
  rootOf,
  signCheckpoint,
  tilePath,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { temporaryFolder } from './millseal.ts'

/** An HTTP server of a folder, as a log is published. It can fail like one, too. */
export const servedFolder = async () => {
  const folder = await temporaryFolder()
  const state = { status: 200, asked: 0 }
  const server = createServer((request, response) => {
    state.asked += 1
    if (state.status !== 200) {
      response.writeHead(state.status).end('no')
      return
    }
    readFile(join(folder.path, normalize(request.url ?? '/'))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    path: folder.path,
    url: `http://127.0.0.1:${port}`,
    state,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** Writes the checkpoint and the tiles of a tree with these leaves. */
export const publish = async (
  folder: string,
  { leaves, note }: { readonly leaves: readonly Hash[]; readonly note: string },
): Promise<void> => {
  await rm(join(folder, 'tile'), { recursive: true, force: true })
  for (const tile of growTree(emptyTree, leaves, nodePrimitives).changed) {
    const path = join(folder, tilePath(tile))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, Buffer.concat(tile.hashes))
  }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'checkpoint'), note)
}

export const randomLeaves = (count: number): Hash[] => Array.from({ length: count }, () => randomBytes(32))

/** Signs checkpoints of trees with a new key. */
export const newLogSigner = (origin: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const key = noteKey(origin, Buffer.from(x, 'base64url'), nodePrimitives)
  return {
    vkey: formatNoteKey(key),
    signed: (leaves: readonly Hash[], more: Partial<Checkpoint> = {}): Promise<string> =>
      signCheckpoint(
        {
          origin,
          size: leaves.length,
          root: rootOf(growTree(emptyTree, leaves, nodePrimitives).tree, nodePrimitives),
          ...more,
        },
        { key, sign: (message) => sign(null, message, privateKey) },
      ),
  }
}
