import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  canonicalLedgerText,
  emptyTree,
  entriesPath,
  formatNoteKey,
  growTree,
  leafHash,
  rootOf,
  type SignedTransaction,
  signCheckpoint,
  tilePath,
  tileWidth,
  writeEntries,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { writeBlock } from '../src/adapters/ledger/embedded/block-journal.ts'
import { createLogKey } from '../src/adapters/ledger/embedded/log-key.ts'
import { systemClock } from '../src/ports/clock/clock.ts'
import type { LedgerInstallation } from './ledger-installation.ts'

/**
 * Writes the files of a test log as version 0.1 did: entries that are only the canonical text, and a checkpoint without
 * extension lines. One block per transaction, a second apart from `start` on.
 */
export const writeOldLog = async (
  { database, keystore, folder }: LedgerInstallation,
  { transactions, start }: { readonly transactions: readonly SignedTransaction[]; readonly start: Date },
): Promise<void> => {
  const origin = 'example.com/ledger/test'
  const key = createLogKey({ mode: 'test', database, keystore, clock: systemClock })
  const signer = await key.ensure(origin)
  const write = async (path: string, bytes: Uint8Array | string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
  const entries = transactions.map((transaction) => Buffer.from(canonicalLedgerText(transaction)))
  const leaves = entries.map((entry) => leafHash(entry, nodePrimitives))
  const { tree, changed } = growTree(emptyTree, leaves, nodePrimitives)
  for (const tile of changed) await write(tilePath(tile), Buffer.concat(tile.hashes))
  for (let first = 0; first < entries.length; first += tileWidth) {
    const bundle = entries.slice(first, first + tileWidth)
    await write(entriesPath({ index: first / tileWidth, width: bundle.length }), writeEntries(bundle))
  }
  const blocks = entries.map((_, at) =>
    writeBlock({
      height: at + 1,
      firstIndex: at,
      entryCount: 1,
      committedAt: new Date(start.getTime() + at * 1_000),
    }),
  )
  await write('blocks', blocks.join(''))
  await write('vkey', `${formatNoteKey(signer.key)}\n`)
  const head = { origin, size: tree.size, root: rootOf(tree, nodePrimitives) }
  await write('checkpoint', await signCheckpoint(head, signer))
}
