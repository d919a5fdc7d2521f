import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  buildTransfer,
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
} from '@millseal/proof'
import { didOfOwner, ownerOf, record, signWholly } from '@millseal/proof/testing'
import { createReplay, emptyReplay, type ReplayState } from './replay.ts'
import { readSnapshot, writeSnapshot } from './snapshot.ts'

type Line = readonly [transaction: SignedTransaction, time?: string]

const [mill, other, operator] = [ownerOf(1), ownerOf(2), ownerOf(3)]
const did = didOfOwner(mill)
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
const certificate = (number: number, asset: Readonly<Record<string, string>> = {}) =>
  record(mill, { jsonHash: String(number).padStart(64, '0'), ...asset })
const correct = (owner: typeof mill, asset: Readonly<Record<string, string>>): SignedTransaction =>
  record(owner, { type: 'correction', reason: 'a reason', ...asset })
const handOver = (spent: SignedTransaction, to: typeof mill): SignedTransaction =>
  signWholly(
    buildTransfer(
      {
        spends: [{ transaction: spent, outputIndex: 0 }],
        recipients: [{ publicKeys: [to.publicKey], amount: '1' }],
        metadata: null,
      },
      primitives,
    ),
    mill,
  )

const bytesOf = ([transaction, time]: Line): Uint8Array => writeLogEntry({ transaction, time })

/** Replays these lines, and from a state if one is given. */
const replayOf = async (lines: readonly Line[], from: ReplayState = emptyReplay(didOfOwner(operator))) => {
  const entries = lines.map(bytesOf)
  const readEntry = async (index: number) => entries[index] ?? assert.fail(`there is no entry ${index}`)
  const replay = createReplay(from, { primitives, readEntry })
  await replay.add(entries.slice(replay.tree.size))
  return replay
}

const assertRefused = async (lines: readonly Line[], why: RegExp): Promise<void> => {
  await replayOf(lines.slice(0, -1))
  await assert.rejects(replayOf(lines), (error: Error) => {
    assert.match(error.message, new RegExp(`^Entry ${lines.length - 1} is not valid at its position`))
    assert.match(String(error.cause), why)
    return true
  })
}

/** What an honest log signs over these lines. */
const checkpointOf = (lines: readonly Line[]): Checkpoint => {
  const { tree } = growTree(
    emptyTree,
    lines.map((line) => leafHash(bytesOf(line), primitives)),
    primitives,
  )
  const status = createStatusTree(primitives)
  for (const [index, [transaction]] of lines.entries()) {
    const correction = readCorrection(transaction)
    if (correction !== undefined) status.add(subjectOf(correction), index)
  }
  return {
    origin: 'mill.example/ledger/test',
    size: tree.size,
    root: rootOf(tree, primitives),
    time: lines.at(-1)?.[1],
    operator: didOfOwner(operator),
    status: status.head,
  }
}

const identity = record(mill, { type: 'identity', did, publicKey: mill.publicKey })
const [first, second] = [certificate(1), certificate(2)]
const besideFirst = record(other, { jsonHash: '1'.padStart(64, '0'), beside: first.id })
const honest: readonly Line[] = [
  [identity, at(1)],
  [first, at(2)],
  [second, at(3)],
  [besideFirst, at(3)],
  [correct(mill, { action: 'withdraw', transactionId: first.id }), at(4)],
  [handOver(second, other), at(5)],
  [correct(operator, { action: 'revoke-key', did, since: at(3) }), at(6)],
]

describe('a replay of a log', () => {
  test('says of an honest log what its checkpoints say', async () => {
    for (let size = 0; size <= honest.length; size += 1) {
      const lines = honest.slice(0, size)
      ;(await replayOf(lines)).assertSays(checkpointOf(lines))
    }
  })

  test('takes entries without a time only before the others, and no correction among them', async () => {
    await replayOf([[first], [second, at(1)]])
    await assertRefused([[first, at(1)], [second]], /it has no time/)
    const withdrawn = correct(mill, { action: 'withdraw', transactionId: first.id })
    const replay = await replayOf([[first], [withdrawn]])
    assert.equal(replay.status.size, 1)
  })

  test('refuses what no log may contain', async () => {
    await assertRefused(
      [
        [first, at(2)],
        [second, at(1)],
      ],
      /an earlier time than the entry before it/,
    )
    await assertRefused(
      [
        [first, at(1)],
        [first, at(2)],
      ],
      /already exists/,
    )
    await assertRefused(
      [
        [first, at(1)],
        [certificate(1, { note: 'again' }), at(2)],
      ],
      /certificate is already/,
    )
    await assertRefused(
      [
        [second, at(1)],
        [handOver(second, other), at(2)],
        [handOver(second, mill), at(3)],
      ],
      /was already spent/,
    )
    await assertRefused([[handOver(second, other), at(1)]], /doesn't exist/)
    const forged: Line = [{ ...first, metadata: { altered: 'true' } }, at(1)]
    await assertRefused([forged], /InvalidTransaction/)
  })

  test('lets a certificate have one entry of each signer, and only beside its first one', async () => {
    const lines: Line[] = [
      [first, at(1)],
      [besideFirst, at(2)],
    ]
    await replayOf(lines)
    const again = record(other, { jsonHash: '1'.padStart(64, '0'), beside: first.id, note: 'again' })
    await assertRefused([...lines, [again, at(3)]], /certificate is already in the log/)
    const third = record(operator, { jsonHash: '1'.padStart(64, '0'), beside: besideFirst.id })
    await assertRefused([...lines, [third, at(3)]], /certificate is already in the log/)
  })

  test('refuses corrections of those who may not sign them', async () => {
    const lines: Line[] = [
      [identity, at(1)],
      [first, at(2)],
    ]
    const withdrawal = { action: 'withdraw', transactionId: first.id }
    await assertRefused([...lines, [correct(other, withdrawal), at(3)]], /neither by the signer/)
    const unknown = { action: 'withdraw', transactionId: second.id }
    await assertRefused([...lines, [correct(mill, unknown), at(3)]], /is not in this log/)
    const revocation = { action: 'revoke-key', did, since: at(1) }
    await assertRefused([...lines, [correct(other, revocation), at(3)]], /neither by the key itself/)
  })

  test('refuses a checkpoint that says something else than the entries', async () => {
    const replay = await replayOf(honest)
    const true_ = checkpointOf(honest)
    const lies: readonly (readonly [Partial<Checkpoint>, RegExp])[] = [
      [{ root: checkpointOf(honest.slice(1)).root }, /not the 7 that the checkpoint was signed over/],
      [{ size: 6 }, /not the 6/],
      [{ time: at(5) }, /an earlier time than its newest entry/],
      [{ time: undefined }, /an earlier time/],
      [{ operator: did }, /another operator/],
      [{ status: checkpointOf(honest.slice(0, 4)).status }, /status tree/],
      [{ status: undefined }, /status tree/],
    ]
    for (const [lie, why] of lies)
      assert.throws(() => replay.assertSays({ ...true_, ...lie }), { name: 'LogRefused', message: why })
    replay.assertSays(true_)
  })

  test('goes on after a restart as if there was none, wherever it happens', async () => {
    for (let cut = 0; cut <= honest.length; cut += 1) {
      const before = await replayOf(honest.slice(0, cut))
      const bytes = concatBytes(...writeSnapshot(before.state, primitives))
      const restored = () => readSnapshot(Buffer.from(bytes), primitives)
      ;(await replayOf(honest, restored())).assertSays(checkpointOf(honest))
      const lines: Line[] = [...honest, [first, at(9)]]
      await assert.rejects(replayOf(lines, restored()), /Entry 7 is not valid/)
      const spentTwice: Line[] = [...honest, [handOver(second, mill), at(9)]]
      await assert.rejects(replayOf(spentTwice, restored()), /Entry 7 is not valid/)
    }
  })

  test('does not go on from a snapshot with another byte', async () => {
    const bytes = concatBytes(...writeSnapshot((await replayOf(honest)).state, primitives))
    for (const place of [0, 200, bytes.length - 40, bytes.length - 1]) {
      const damaged = Uint8Array.from(bytes)
      damaged[place] = (damaged[place] ?? 0) ^ 1
      assert.throws(() => readSnapshot(damaged, primitives), { message: 'The snapshot is damaged' })
    }
    assert.throws(() => readSnapshot(bytes.subarray(0, 20), primitives), {
      message: 'The snapshot is damaged',
    })
  })
})
