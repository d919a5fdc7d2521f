import { spawn } from 'node:child_process'
import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  concatBytes,
  createStatusTree,
  didOf,
  emptyTree,
  entriesPath,
  formatNoteKey,
  growTree,
  type Hash,
  leafHash,
  noteKey,
  rootOf,
  signCheckpoint,
  type TreeEdge,
  tilePath,
  tileWidth,
  writeEntries,
  writeLogEntry,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { writeCopySnapshot } from '../../node/src/copy-snapshot.ts'
import { createFolderFiles } from '../../node/src/files.ts'
import { emptyHashIndex, emptyReplay, restoreHashIndex } from '../../replay/src/index.ts'
import { certificateAsset, makeLedgerSigner } from '../../server/test/ledger-signer.ts'
import { cpuSecondsOf } from '../../server/test/process-usage.ts'

const origin = 'bench.example/ledger/test'
const id = hash('sha256', origin)
const program = join(import.meta.dirname, '../../cli/src/main.ts')

/** A log in memory, served to a node. */
export const serveLog = async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const key = noteKey(origin, new Uint8Array(Buffer.from(x, 'base64url')), nodePrimitives)
  const operator = didOf(key.publicKey)
  const files = new Map<string, Uint8Array>()
  const server = createServer((request, response) => {
    const found = files.get((request.url ?? '').slice(1))
    response.writeHead(found === undefined ? 404 : 200).end(found)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const signed = (tree: TreeEdge): Promise<string> => {
    const { size } = tree
    const head = {
      origin,
      size,
      root: rootOf(tree, nodePrimitives),
      time: new Date().toISOString(),
      operator,
    }
    const status = createStatusTree(nodePrimitives).head
    return signCheckpoint({ ...head, status }, { key, sign: (message) => sign(null, message, privateKey) })
  }
  let note = ''
  const publish = async (tree: TreeEdge): Promise<void> => {
    note = await signed(tree)
    files.set('checkpoint', Buffer.from(note))
  }
  return {
    note: () => note,
    list: () => `logs/v0\n\nvkey ${formatNoteKey(key)}\norigin ${origin}\n#url ${url}\n`,
    /** With so many certificates. */
    async fill(count: number): Promise<void> {
      const { tree, named } = filled(count)
      for (const [name, bytes] of named) files.set(name, bytes)
      await publish(tree)
    },
    /** Writes what a node with so many entries finds when it starts; the entries themselves are not read then. */
    async pretend(count: number, folder: string): Promise<void> {
      const { tree, snapshot } = pretended(count, operator)
      const older = Buffer.from(await signed(tree))
      await createFolderFiles(join(folder, id)).write([
        { name: 'snapshot', bytes: snapshot },
        { name: 'checkpoint', bytes: older },
        { name: 'seen', bytes: older },
      ])
      await pause(10)
      await publish(tree)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The files of a log with so many certificates. */
const filled = (count: number) => {
  const signer = makeLedgerSigner()
  const time = new Date().toISOString()
  const entries = Array.from({ length: count }, () =>
    writeLogEntry({ transaction: signer.create(certificateAsset()), time }),
  )
  const bundles = Array.from({ length: Math.ceil(count / tileWidth) }, (_, index) => {
    const bundle = entries.slice(index * tileWidth, (index + 1) * tileWidth)
    return [entriesPath({ index, width: bundle.length }), writeEntries(bundle)] as const
  })
  const leaves = entries.map((entry) => leafHash(entry, nodePrimitives))
  const { tree, changed } = growTree(emptyTree, leaves, nodePrimitives)
  const tiles = changed.map(
    ({ hashes, ...tile }) => [tilePath({ ...tile, width: hashes.length }), concatBytes(...hashes)] as const,
  )
  return { tree, named: [...bundles, ...tiles] }
}

const pretended = (count: number, operator: string) => {
  const replay = emptyReplay(operator)
  const { salt } = replay.recorded
  const indexOf = (what: string) => {
    const index = restoreHashIndex(emptyHashIndex(), { salt, hashing: nodePrimitives })
    for (let entry = 0; entry < count; entry += 1) index.add(`${what} ${entry}`, entry)
    return index.state
  }
  let tree = emptyTree
  const leaf = (at: number): Hash => nodePrimitives.sha256(Buffer.from(String(at)))
  for (let at = 0; at < count; at += 10_000) {
    const leaves = Array.from({ length: Math.min(10_000, count - at) }, (_, more) => leaf(at + more))
    tree = growTree(tree, leaves, nodePrimitives).tree
  }
  const recorded = {
    ...replay.recorded,
    ids: indexOf('id'),
    certificates: indexOf('json'),
    signerOf: new Uint32Array(2 ** Math.ceil(Math.log2(count))).fill(1, 0, count),
    signers: [{ did: operator, key: undefined }],
  }
  const state = { replay: { ...replay, tree, recorded }, salt, pdfs: indexOf('pdf'), issuers: [] }
  return { tree, snapshot: writeCopySnapshot(state) }
}

/** The command, as a process. It asks the log once. */
export const startNode = async (list: string, folder: string) => {
  await mkdir(folder, { recursive: true })
  const logs = join(folder, 'logs.v0')
  await writeFile(logs, list)
  const startedAt = performance.now()
  const given = ['--name', 'bench.example/node', '--logs', logs, '--folder', folder]
  const args = ['--disable-warning=ExperimentalWarning', program, 'node', ...given, '--listen', '127.0.0.1:0']
  const child = spawn(process.execPath, [...args, '--every', '1h', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { url } = JSON.parse(line.toString()) as { readonly url: string }
  const pid = child.pid ?? 0
  let readyMs = 0
  return {
    pid,
    cpuSeconds: () => cpuSecondsOf(pid),
    /** From the start of the process until it had signed that. */
    ms: () => readyMs,
    async untilPublished(note: string): Promise<void> {
      for (;;) {
        const response = await fetch(`${url}/${id}/checkpoint`)
        if (response.ok && (await response.text()).startsWith(note)) break
        await pause(20)
      }
      readyMs = performance.now() - startedAt
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
