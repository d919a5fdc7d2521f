import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Checkpoint,
  decodeBase64,
  leafHash,
  parseNoteKey,
  verifyCheckpoint,
  verifyConsistency,
  verifyInclusion,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { certificate, correct, holding, type Line, lines, logOf, other, at } from '../test/held.ts'
import { type Source, startSource } from '../test/source.ts'
import type { LogNode } from './node.ts'

const origin = 'mill.example/ledger/test'

/** As the same log would have gone on, if its operator had recorded something else. */
const otherLines = (from: number, count: number): readonly Line[] => [
  ...lines(from),
  ...Array.from({ length: count - from }, (_, number): Line => [certificate(1_000 + number), at(3)]),
]

/** A node that holds a log of five entries, and another log. */
const holdingTwo = async () => {
  const opened = new AsyncDisposableStack()
  const source = opened.use(await startSource(origin))
  const second = opened.use(await startSource('second.example/ledger/test', 77))
  const folder = opened.use(await holding(source, second))
  const node = await folder.open()
  await source.serve(lines(5))
  await second.serve(lines(4))
  await Promise.all(node.logs.map((log) => log.poll()))
  assert.deepEqual(
    node.logs.map(({ state }) => state.published?.size),
    [5, 4],
  )
  return { source, second, folder, node, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

type Told = {
  readonly kind: string
  readonly key: string
  readonly checkpoints?: readonly [string, string]
  readonly root?: string
  readonly proof?: readonly string[]
  readonly checkpoint?: string
  readonly entry?: { readonly index: number; readonly bytes: string; readonly path: readonly string[] }
}

const evidenceOf = async (node: LogNode): Promise<Told> =>
  JSON.parse((await logOf(node).findEvidence(1)) ?? '{}') as Told

const assertProvesFork = ({ kind, key, checkpoints, root = '', proof = [] }: Told): void => {
  assert.equal(kind, 'fork')
  const [first, last] = (checkpoints ?? []).map((note) =>
    verifyCheckpoint(note, parseNoteKey(key, nodePrimitives), nodePrimitives),
  )
  assert.ok(first !== undefined && last !== undefined)
  if (first.size === last.size) return assert.notDeepEqual(first.root, last.root)
  const growth = { oldSize: first.size, newSize: last.size, newRoot: last.root }
  const hashes = proof.map(decodeBase64)
  assert.ok(verifyConsistency({ ...growth, oldRoot: decodeBase64(root), proof: hashes }, nodePrimitives))
  assert.notDeepEqual(decodeBase64(root), new Uint8Array(first.root))
}

/** Nothing of the log is signed any more, also after a restart; the other log goes on; the copy stays. */
const assertStopped = async (
  { source, second, folder, node }: Awaited<ReturnType<typeof holdingTwo>>,
  why: RegExp,
): Promise<Told> => {
  for (const one of [node, await folder.open()]) {
    assert.match(logOf(one).state.stopped ?? '', why)
    const size = logOf(one).state.seen?.size ?? 0
    const answer = await one.addCheckpoint(await source.request(size, lines(size)))
    assert.equal(answer.status, 403)
    assert.match(answer.text, /keeps the evidence/)
    await source.serve(lines(9))
    await logOf(one).poll()
    assert.equal(logOf(one).state.published?.size, 5)
    assert.equal(await logOf(one).read(async (copy) => copy.tree.size), 5)
  }
  const again = await folder.open()
  await second.serve(lines(6))
  await logOf(again, 1).poll()
  assert.equal(logOf(again, 1).state.published?.size, 6)
  return await evidenceOf(again)
}

const push = async (node: LogNode, source: Source, [old, all, says]: Pushed): Promise<number> =>
  (await node.addCheckpoint(await source.request(old, all, says))).status
type Pushed = readonly [number, readonly Line[], Partial<Checkpoint>?]

/** What is looked at after the answer. */
const settled = (node: LogNode): Promise<void> => logOf(node).poll()

describe('a log that forked', () => {
  test('is stopped for ever by a checkpoint of the same size', async () => {
    await using held = await holdingTwo()
    assert.equal(await push(held.node, held.source, [5, otherLines(3, 5)]), 422)
    await settled(held.node)
    assertProvesFork(await assertStopped(held, /two different trees of 5 entries/))
  })

  test('is stopped for ever by a shorter one', async () => {
    await using held = await holdingTwo()
    assert.equal(await push(held.node, held.source, [0, otherLines(3, 4)]), 409)
    await settled(held.node)
    assertProvesFork(await assertStopped(held, /first 4 of the 5 entries/))
  })

  test('is stopped for ever by a longer one', async () => {
    await using held = await holdingTwo()
    await held.source.serve(otherLines(3, 8))
    assert.equal(await push(held.node, held.source, [5, otherLines(3, 8)]), 422)
    await settled(held.node)
    assertProvesFork(await assertStopped(held, /first 5 of the 8 entries/))
  })

  test('is found without being sent anything', async () => {
    for (const forked of [otherLines(3, 4), otherLines(3, 5), otherLines(3, 8)]) {
      await using held = await holdingTwo()
      await held.source.serve(forked)
      await settled(held.node)
      assertProvesFork(await assertStopped(held, /entries/))
    }
  })
})

describe('a log that lies', () => {
  const lies: readonly (readonly [string, readonly Line[], Partial<Checkpoint>, RegExp])[] = [
    [
      'twice the same certificate',
      [...lines(5), [certificate(1, { again: '1' }), at(4)]],
      {},
      /already in the log/,
    ],
    [
      'an earlier time',
      [...lines(5), [certificate(70), at(2)]],
      { time: at(4) },
      /earlier time than the entry before/,
    ],
    [
      'the withdrawal by a stranger',
      [...lines(5), [correct(other, { action: 'withdraw', transactionId: certificate(1).id }), at(4)]],
      {},
      /neither by the signer/,
    ],
    [
      'another status',
      lines(5),
      { status: { size: 2, root: new Uint8Array(32) }, time: at(4) },
      /status tree/,
    ],
    [
      'another status at the same time',
      lines(5),
      { status: { size: 2, root: new Uint8Array(32) } },
      /status tree/,
    ],
    [
      'another operator',
      lines(6),
      { operator: 'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH' },
      /another operator/,
    ],
    ['no time', lines(6), { time: undefined }, /time/],
    [
      'a state leaf with an earlier time',
      [...lines(5), at(2)],
      { time: at(4) },
      /earlier time than the entry/,
    ],
    ['another time than its state leaf', [...lines(5), at(4)], { time: at(5) }, /what its state leaf says/],
    [
      'an end without a state leaf, after it had one',
      [...lines(5), at(4), [certificate(70), at(4)]],
      {},
      /is not a state leaf/,
    ],
  ]
  for (const [what, all, says, why] of lies)
    test(`is stopped for ever by ${what}`, async () => {
      for (const isSent of [true, false]) {
        await using held = await holdingTwo()
        await held.source.serve(all, says)
        if (isSent) assert.equal(await push(held.node, held.source, [5, all, says]), 403)
        else await settled(held.node)
        const { kind, key, checkpoint = '', entry } = await assertStopped(held, why)
        assert.equal(kind, 'lie')
        const said = verifyCheckpoint(checkpoint, parseNoteKey(key, nodePrimitives), nodePrimitives)
        if (entry === undefined) continue
        const { index, bytes, path } = entry
        const leaf = leafHash(decodeBase64(bytes), nodePrimitives)
        const inclusion = { index, leaf, path: path.map(decodeBase64), size: said.size, root: said.root }
        assert.ok(verifyInclusion(inclusion, nodePrimitives))
      }
    })
})

describe('an honest log', () => {
  test('is not stopped by what others send: old checkpoints, wrong proofs', async () => {
    await using held = await holdingTwo()
    const { node, source } = held
    assert.equal(await push(node, source, [3, lines(4)]), 409)
    await source.serve(lines(8))
    const request = await source.request(5, lines(8))
    const [, first = ''] = request.split('\n')
    assert.equal((await node.addCheckpoint(request.replace(first, 'A'.repeat(43) + '='))).status, 422)
    await node.close()
    assert.deepEqual(logOf(node).state.stopped, undefined)
    assert.equal(await push(node, source, [5, lines(8)]), 200)
  })

  test('is not stopped by what happens on the way, and goes on after it', async () => {
    for (const damage of [
      (path: string, bytes: Uint8Array) => (path.startsWith('tile/entries') ? bytes.subarray(1) : bytes),
      (path: string, bytes: Uint8Array) => (path.startsWith('tile/0') ? Buffer.alloc(bytes.length) : bytes),
      (path: string, bytes: Uint8Array) => (path === 'checkpoint' ? Buffer.from('<html>') : bytes),
      (path: string, bytes: Uint8Array) =>
        path.startsWith('tile/entries') ? Buffer.from(bytes).fill(0x20, bytes.length - 9) : bytes,
      () => undefined,
    ]) {
      await using held = await holdingTwo()
      const { node, source } = held
      await source.serve(lines(8))
      source.spoil = damage
      await logOf(node).poll()
      const { stopped, problem, published } = logOf(node).state
      assert.deepEqual([stopped, published?.size], [undefined, 5])
      assert.ok(problem !== undefined)
      source.spoil = undefined
      await logOf(node).poll()
      assert.deepEqual([logOf(node).state.problem, logOf(node).state.published?.size], [undefined, 8])
    }
  })

  test('is not signed by the node key while the clocks differ, and is not stopped', async () => {
    await using held = await holdingTwo()
    const { node, source, folder } = held
    folder.now = at(60)
    await logOf(node).poll()
    folder.now = at(61)
    await source.serve(lines(6))
    await logOf(node).poll()
    assert.match(
      logOf(node).state.problem ?? '',
      /the checkpoint has the time 2026-01-01T00:03.*, but the log had fewer entries at 2026-01-01T01:00/,
    )
    const answer = await node.addCheckpoint(await source.request(6, lines(6)))
    assert.equal(answer.text.split('\n').length, 2)
    await source.serve(lines(6), { time: at(59) })
    await logOf(node).poll()
    assert.deepEqual([logOf(node).state.stopped, logOf(node).state.published?.size], [undefined, 6])
    for (const [now, problem] of [
      ['2026-01-02T02:30:00.000Z', /the time 2026-01-01T00:04.*, but here it is 2026-01-02T02:30/],
      ['2025-12-31T23:40:00.000Z', /the time 2026-01-01T00:04.*, but here it is 2025-12-31T23:40/],
    ] as const) {
      await using idle = await holding(source)
      idle.now = now
      await source.serve(lines(6), { time: at(4) })
      const late = await idle.open()
      await logOf(late).poll()
      assert.match(logOf(late).state.problem ?? '', problem)
      idle.now = '2026-01-01T23:59:00.000Z'
      await logOf(late).poll()
      assert.deepEqual([logOf(late).state.problem, logOf(late).state.published?.size], [undefined, 6])
    }
  })
})
