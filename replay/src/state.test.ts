import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Checkpoint,
  concatBytes,
  createStatusTree,
  emptyTree,
  growTree,
  leafHash,
  portablePrimitives as primitives,
  readCorrection,
  rootOf,
  type SignedTransaction,
  subjectOf,
  writeLogEntry,
  writeStateLeaf,
} from '@millseal/proof'
import { didOfOwner, ownerOf, record } from '@millseal/proof/testing'
import { createReplay, emptyReplay } from './replay.ts'
import { readSnapshot, writeSnapshot } from './snapshot.ts'

const mill = ownerOf(1)
const operator = didOfOwner(ownerOf(3))
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
const certificate = (number: number) => record(mill, { jsonHash: String(number).padStart(64, '0') })
const first = certificate(1)
const withdrawn = record(mill, {
  type: 'correction',
  action: 'withdraw',
  transactionId: first.id,
  reason: 'a reason',
})

/** A transaction with its time, or the time of a state leaf. */
type Line = readonly [SignedTransaction, string] | string

/** What an honest log writes and signs. */
const logOf = (lines: readonly Line[]) => {
  const status = createStatusTree(primitives)
  let time = ''
  const entries = lines.map((line, index) => {
    if (typeof line === 'string') {
      time = line
      return writeStateLeaf({ time, operator, status: status.head })
    }
    const [transaction] = line
    ;[, time] = line
    const correction = readCorrection(transaction)
    if (correction !== undefined) status.add(subjectOf(correction), index)
    return writeLogEntry({ transaction, time })
  })
  const leaves = entries.map((entry) => leafHash(entry, primitives))
  const root = rootOf(growTree(emptyTree, leaves, primitives).tree, primitives)
  const origin = 'mill.example/ledger/test'
  const checkpoint: Checkpoint = {
    origin,
    size: entries.length,
    root,
    time,
    operator,
    status: status.head,
  }
  return { entries, checkpoint }
}

const replayOf = async (entries: readonly Uint8Array[], from = emptyReplay(operator)) => {
  const readEntry = async (index: number) => entries[index] ?? assert.fail(`there is no entry ${index}`)
  const replay = createReplay(from, { primitives, readEntry })
  await replay.add(entries.slice(replay.tree.size))
  return replay
}

const honest: readonly Line[] = [
  [first, at(1)],
  at(1),
  [certificate(2), at(2)],
  [withdrawn, at(2)],
  at(2),
  at(9),
]

describe('the state leaves of a log', () => {
  test('say what its checkpoints say, after each batch and alone', async () => {
    for (const size of [2, 5, 6]) {
      const { entries, checkpoint } = logOf(honest.slice(0, size))
      const replay = await replayOf(entries)
      replay.assertSays(checkpoint)
      assert.throws(() => replay.assertSays({ ...checkpoint, time: at(10) }), /what its state leaf says/)
      assert.throws(() => replay.assertSays({ ...checkpoint, time: undefined }), /an earlier time/)
    }
  })

  test('are the last entry of each checkpoint, once a log has one', async () => {
    const older = logOf(honest.slice(0, 1))
    ;(await replayOf(older.entries)).assertSays(older.checkpoint)
    for (const size of [3, 4]) {
      const { entries, checkpoint } = logOf(honest.slice(0, size))
      const replay = await replayOf(entries)
      assert.throws(() => replay.assertSays(checkpoint), /last entry .* is not a state leaf/)
    }
  })

  test('say nothing else than the entries before them', async () => {
    const { entries, checkpoint } = logOf(honest.slice(0, 5))
    const { time = '', status = assert.fail() } = checkpoint
    const other = createStatusTree(primitives).head
    const texts = [
      writeStateLeaf({ time, operator, status: other }),
      writeStateLeaf({ time, operator: didOfOwner(mill), status }),
      writeStateLeaf({ time: at(1), operator, status }),
      concatBytes(writeStateLeaf({ time, operator, status }), new TextEncoder().encode('more\n')),
      writeStateLeaf({ time, operator, status }).slice(0, -1),
      writeStateLeaf({ time: '2026', operator, status }),
      new TextEncoder().encode('millseal-state\n'),
    ]
    for (const text of texts)
      await assert.rejects(replayOf([...entries.slice(0, 4), text]), {
        name: 'LogRefused',
        message: 'Entry 4 is not valid at its position',
      })
    await assert.rejects(replayOf(entries, emptyReplay(undefined)), /Entry 1 is not valid/)
  })

  test('are no entry that a later one can refer to, and need no place of a signer', async () => {
    const many = Array.from({ length: 5_000 }, () => at(1))
    const { entries, checkpoint } = logOf([[first, at(1)], ...many, [withdrawn, at(2)], at(2)])
    const replay = await replayOf(entries)
    replay.assertSays(checkpoint)
    assert.deepEqual(await replay.entriesOf('1'.padStart(64, '0')), [0])
    assert.equal(replay.state.recorded.ids.count, 2)
  })

  test('are remembered by a snapshot', async () => {
    for (let cut = 0; cut <= honest.length; cut += 1) {
      const before = await replayOf(logOf(honest.slice(0, cut)).entries)
      const bytes = concatBytes(...writeSnapshot(before.state, primitives))
      const restored = () => readSnapshot(Uint8Array.from(bytes), primitives)
      const { entries, checkpoint } = logOf(honest)
      ;(await replayOf(entries, restored())).assertSays(checkpoint)
      const more = logOf([...honest, [certificate(3), at(9)]])
      const replay = await replayOf(more.entries, restored())
      assert.throws(() => replay.assertSays(more.checkpoint), /is not a state leaf/)
    }
  })
})
