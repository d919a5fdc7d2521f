import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  certificateSubject,
  type Checkpoint,
  cosign,
  cosignerKey,
  createStatusTree,
  decodeBase58,
  formatCosignerKey,
  type JsonValue,
  keySubject,
  readPolicy,
  splitNote,
  verifyBundle,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { didOfOwner } from '@millseal/proof/testing'
import {
  at,
  certificate,
  correct,
  holding,
  type Line,
  lines,
  logOf,
  mill,
  other,
  sha256,
} from '../test/held.ts'
import { ownerOf } from '../test/owners.ts'
import { type Source, startSource } from '../test/source.ts'
import { proofOf } from './bundle.ts'
import type { LogNode } from './node.ts'

const origin = 'mill.example/ledger/live'
const hash = sha256('pdf 1')
const did = didOfOwner(mill)
const withdrawal = correct(mill, { action: 'withdraw', transactionId: certificate(1).id })
const withdrawn: readonly Line[] = [...lines(3), [withdrawal, at(4)]]

/** A witness of C2SP: it compares sizes and roots, and nothing else. */
const university = ownerOf(230)
const universityKey = cosignerKey('university.example', decodeBase58(university.publicKey), nodePrimitives)

type Bundle = { readonly proof: string; readonly [name: string]: JsonValue }

/** What any holder of all entries can prove. */
const bundleAt = async (node: LogNode): Promise<Bundle> => {
  const found = await logOf(node).read((copy, published) => proofOf(hash, { copy, published, format: 2 }))
  return JSON.parse(JSON.stringify(found)) as Bundle
}

/** The bundle that the operator makes of its entries, with its own checkpoint. */
const bundleOf = async (source: Source, all: readonly Line[], says: Partial<Checkpoint>): Promise<Bundle> => {
  await using own = await startSource(origin)
  await using folder = await holding(own)
  const node = await folder.open()
  await own.serve(all)
  await logOf(node).poll()
  const { proof, ...more } = await bundleAt(node)
  await node.close()
  const note = await source.sign(all, says)
  return { ...more, proof: proof.slice(0, proof.indexOf('\n\n') + 2) + note }
}

const noteOf = ({ proof }: Bundle): string => proof.slice(proof.indexOf('\n\n') + 2)

const witnessed = async (bundle: Bundle): Promise<Bundle> => {
  const { text } = splitNote(noteOf(bundle))
  const line = await cosign(text, Date.parse(at(5)) / 1_000, { key: universityKey, sign: university.sign })
  return { ...bundle, proof: `${bundle.proof}${line}\n` }
}

/** The verdict of a reader who demands the node, and of one who is content with the witness. */
const judge = (bundle: JsonValue, { source, node }: { readonly source: Source; readonly node: LogNode }) => {
  const known = [`log ${source.vkey}`, `witness inspector ${node.keys.node.vkey}`]
  const witness = `witness university ${formatCosignerKey(universityKey)}`
  return ['quorum inspector', 'group any any inspector university\nquorum any'].map((quorum) => {
    const log = [...known, witness, quorum, ''].join('\n')
    const json = { policyVersion: 2, log, nodes: ['inspector'], issuers: [{ did, name: 'Rolling Mill' }] }
    const policy = readPolicy(json, nodePrimitives)
    const file = { kind: 'pdf', hash } as const
    const { verdict, facts } = verifyBundle({ file, bundle, policy, now: new Date(at(6)) }, nodePrimitives)
    return `${verdict} by ${facts?.confirmation.by}`
  })
}

/** A node that holds the log until the operator lies. */
const opened = async () => {
  const stack = new AsyncDisposableStack()
  const source = stack.use(await startSource(origin))
  const node = await stack.use(await holding(source)).open()
  await source.serve(lines(3))
  await logOf(node).poll()
  return { source, node, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** A tree without corrections, and what it proves of the certificate and the key. */
const nothing = createStatusTree(nodePrimitives)
const clean = [certificateSubject(certificate(1).id), keySubject(did)].map((subject) => {
  const { path: _empty, entries, ...leaf } = nothing.prove(subject)
  return { ...leaf, entries: [...entries], path: '' }
})

describe('an operator', () => {
  test('who is honest is confirmed by the node, also about a withdrawal, and after it is gone', async () => {
    await using held = await opened()
    assert.deepEqual(judge(await bundleAt(held.node), held), ['genuine by nodes', 'genuine by nodes'])
    await held.source.serve(withdrawn)
    await logOf(held.node).poll()
    await held.source[Symbol.asyncDispose]()
    assert.deepEqual(judge(await bundleAt(held.node), held), ['withdrawn by nodes', 'withdrawn by nodes'])
  })

  test('who hides a withdrawal finds a witness, which says nothing of it, and no node', async () => {
    await using held = await opened()
    const { source, node } = held
    const says = { status: nothing.head }
    await source.serve(withdrawn, says)
    const sent = await node.addCheckpoint(await source.request(3, withdrawn, says))
    assert.equal(sent.status, 403)
    const hidden = { ...(await bundleOf(source, withdrawn, says)), status: clean, corrections: [] }
    assert.deepEqual(judge(await witnessed(hidden), held), [
      'unconfirmed by operator',
      'genuine by witnesses',
    ])
    assert.match(logOf(node).state.stopped ?? '', /status tree/)
  })

  test('who names another key as its own, or dates a checkpoint ahead, finds no node', async () => {
    const lies: readonly Partial<Checkpoint>[] = [{ operator: didOfOwner(other) }, { time: at(2_000) }]
    for (const says of lies) {
      await using held = await opened()
      const { source, node } = held
      const all = lines(4)
      await source.serve(all, says)
      const sent = await node.addCheckpoint(await source.request(3, all, says))
      const bundle = await bundleOf(source, all, says)
      const lied = { ...bundle, proof: bundle.proof + (sent.status === 200 ? sent.text : '') }
      assert.deepEqual(judge(await witnessed(lied), held), [
        'unconfirmed by operator',
        'genuine by witnesses',
      ])
    }
  })

  test('who shows another history finds nobody, be it shorter, equally long or longer', async () => {
    const fork: readonly Line[] = [...lines(3), [certificate(9_001), at(4)]]
    for (const all of [fork, [...fork, [certificate(9_002), at(4)] as const]]) {
      await using held = await opened()
      const { source, node } = held
      await source.serve(lines(4))
      await logOf(node).poll()
      const sent = await node.addCheckpoint(await source.request(4, all))
      assert.notEqual(sent.status, 200)
      const bundle = await bundleOf(source, all, {})
      assert.deepEqual(judge(bundle, held), ['unconfirmed by operator', 'unconfirmed by operator'])
    }
    await using held = await opened()
    const { source, node } = held
    await source.serve(lines(5))
    await logOf(node).poll()
    assert.notEqual((await node.addCheckpoint(await source.request(4, fork))).status, 200)
    assert.deepEqual(judge(await bundleOf(source, fork, {}), held).slice(0, 1), ['unconfirmed by operator'])
    // What was confirmed before can still be proven.
    assert.deepEqual(judge(await bundleAt(node), held), ['genuine by nodes', 'genuine by nodes'])
  })
})
