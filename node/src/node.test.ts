import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { collectCosignatures, parseCosignerKey, readPolicy, splitNote, verifyBundle } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { proofOf } from './bundle.ts'
import { certificate, correct, holding, type Line, lines, logOf, mill, at, sha256 } from '../test/held.ts'
import { startSource } from '../test/source.ts'
import type { LogNode } from './node.ts'

const origin = 'mill.example/ledger/test'

/** Which keys of the node have signed the note, with or without the text. */
const signersOf = (node: LogNode, note: string, signed = ''): readonly string[] => {
  const { text } = splitNote(note)
  const keys = [node.keys.witness, node.keys.node].map(({ vkey }) => parseCosignerKey(vkey, nodePrimitives))
  const all = { text, lines: [...splitNote(note).lines, ...signed.split('\n')] }
  return collectCosignatures(all, keys, nodePrimitives).map(({ key }) => key.name)
}

describe('a node', () => {
  test('signs what it was sent, and what it has copied and checked', async () => {
    await using source = await startSource(origin)
    await using folder = await holding(source)
    const node = await folder.open()
    const note = await source.serve(lines(3))
    const answer = await node.addCheckpoint(await source.request(0, lines(3)))
    assert.equal(answer.status, 200)
    assert.deepEqual(signersOf(node, note, answer.text), ['inspection.example/witness', 'inspection.example'])
    const { published, seen } = logOf(node).state
    assert.deepEqual(signersOf(node, published?.served ?? ''), ['inspection.example'])
    assert.deepEqual(signersOf(node, seen?.served ?? ''), ['inspection.example/witness'])
    assert.equal(published?.note, note)
    await node.close()
  })

  test('answers as C2SP tlog-witness says', async () => {
    await using source = await startSource(origin)
    await using stranger = await startSource(origin, 7)
    await using unknown = await startSource('other.example')
    await using folder = await holding(source)
    const node = await folder.open()
    await source.serve(lines(3))
    const send = async (body: string) => {
      const { status, text } = await node.addCheckpoint(body)
      return status === 409 ? [status, text] : [status]
    }
    assert.deepEqual(await send(await unknown.request(0, lines(3))), [404])
    assert.deepEqual(await send(await stranger.request(0, lines(3))), [403])
    assert.deepEqual(await send((await source.request(0, lines(3))).replace('old 0', 'old 4')), [400])
    assert.deepEqual(await send('old 0\n'), [400])
    assert.deepEqual(await send((await source.request(0, lines(3))).replace('old 0', 'old 00')), [400])
    assert.deepEqual(await send((await source.request(0, lines(3))).replace('\n', '\nAAAA\n')), [400])
    assert.deepEqual(await send(await source.request(2, lines(3))), [409, '0\n'])
    assert.deepEqual(await send(await source.request(0, lines(3))), [200])
    assert.deepEqual(await send(await source.request(0, lines(3))), [409, '3\n'])
    assert.deepEqual(await send(await source.request(3, lines(3))), [200])
    await source.serve(lines(5))
    const request = await source.request(3, lines(5))
    const [, first = ''] = request.split('\n')
    assert.deepEqual(await send(request.replace(first, Buffer.alloc(32).toString('base64'))), [422])
    assert.deepEqual(await send(request), [200])
    await node.close()
    assert.equal(logOf(node).state.stopped, undefined)
  })

  test('copies a log that nobody sends it, in more than one part, and goes on where it was', async () => {
    const many: Line[] = [...lines(2_300)]
    await using source = await startSource(origin)
    await using folder = await holding(source)
    const first = await folder.open()
    await source.serve(many.slice(0, 2_200))
    await logOf(first).poll()
    assert.deepEqual([logOf(first).state.published?.size, logOf(first).state.problem], [2_200, undefined])
    // Not closed: as if it was killed.
    const second = await folder.open()
    assert.equal(logOf(second).state.published?.size, 2_200)
    await source.serve(many)
    await logOf(second).poll()
    assert.deepEqual(folder.notes, [])
    assert.equal(logOf(second).state.published?.size, 2_300)
    await source.serve([...many, [certificate(2_000), at(4)]])
    await logOf(second).poll()
    assert.match(
      logOf(second).state.stopped ?? '',
      /^Entry 2300 is not valid at its position: .* already exists/,
    )
  })

  test('serves bundles that prove certificate, issuer and status, without the log', async () => {
    await using source = await startSource(origin)
    await using folder = await holding(source)
    const withdrawn = certificate(1)
    const correction = correct(mill, { action: 'withdraw', transactionId: withdrawn.id })
    await source.serve([...lines(300), [correction, at(4)], at(4)])
    const before = await folder.open()
    await logOf(before).poll()
    await before.close()
    await source[Symbol.asyncDispose]()
    const node = await folder.open()
    const policy = readPolicy({ logs: [source.vkey] }, nodePrimitives)
    for (const format of [2, 3] as const)
      for (const [hash, valid] of [
        [sha256('pdf 1'), 'no'],
        [sha256('pdf 280'), 'yes'],
      ] as const) {
        const bundle = await logOf(node).read((copy, published) => proofOf(hash, { copy, published, format }))
        assert.equal('state' in (bundle ?? {}), format === 3)
        const claim = {
          file: { kind: 'pdf', hash },
          bundle: JSON.parse(JSON.stringify(bundle)),
          policy,
        } as const
        const { answers, facts } = verifyBundle({ ...claim, now: new Date(at(6)) }, nodePrimitives)
        assert.deepEqual(answers, { unchanged: 'yes', issuer: 'yes', time: 'yes', status: valid })
        assert.equal(facts?.issuer.review?.reviewedAt, at(1))
      }
    const none = await logOf(node).read((copy, published) =>
      proofOf(sha256('none'), { copy, published, format: 3 }),
    )
    assert.equal(none, undefined)
  })
})
