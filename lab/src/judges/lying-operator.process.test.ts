import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Checkpoint, createStatusTree, splitNote, writeLogEntry } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { didOfOwner } from '@millseal/proof/testing'
import { proofOf } from '../../../node/src/bundle.ts'
import type { LogNode } from '../../../node/src/node.ts'
import {
  at,
  certificate,
  correct,
  type Held,
  holding,
  type Line,
  lines,
  logOf,
  mill,
  other,
  sha256,
} from '../../../node/test/held.ts'
import { type Source, startSource } from '../../../node/test/source.ts'
import { lacksLitewitness, startLitewitness } from '../../../server/test/litewitness.ts'
import { makeTemporaryFolder } from '../../../server/test/temporary-folder.ts'
import { languages, missing, type Verifier, verifierIn } from '../verifiers/programs.ts'
import { startOmniwitness } from './omniwitness.ts'
import { judge, lacksJudges, run } from './programs.ts'

const skip = (await lacksLitewitness()) || (await lacksJudges()) || missing.Go || missing.Python

const withdrawal = correct(mill, { action: 'withdraw', transactionId: certificate(1).id })
const withdrawn: readonly Line[] = [...lines(3), [withdrawal, at(4)]]
const fork: readonly Line[] = [...lines(3), [certificate(9_001), at(4)]]
const longer: readonly Line[] = [...fork, [certificate(9_002), at(4)]]
const nothing = createStatusTree(nodePrimitives).head

type Case = {
  readonly name: string
  /** What everybody has seen before. */
  readonly seen: readonly Line[]
  readonly lie: { readonly lines: readonly Line[]; readonly says?: Partial<Checkpoint> }
  /** Whether witnesses, who compare sizes and roots, sign it. */
  readonly isWitnessed: boolean
  /** Whether watchers notice it without reading entries. */
  readonly isSeenByWatchers: boolean
}

const cases: readonly Case[] = [
  {
    name: 'a fork of the same size',
    seen: lines(4),
    lie: { lines: fork },
    isWitnessed: false,
    isSeenByWatchers: true,
  },
  {
    name: 'a longer fork',
    seen: lines(4),
    lie: { lines: longer },
    isWitnessed: false,
    isSeenByWatchers: true,
  },
  {
    name: 'a shorter fork',
    seen: lines(5),
    lie: { lines: fork },
    isWitnessed: false,
    isSeenByWatchers: true,
  },
  {
    name: 'a status that omits a withdrawal',
    seen: lines(3),
    lie: { lines: withdrawn, says: { status: nothing } },
    isWitnessed: true,
    isSeenByWatchers: false,
  },
  {
    name: 'a time before the last one',
    seen: lines(3),
    lie: { lines: lines(4), says: { time: at(0) } },
    isWitnessed: true,
    isSeenByWatchers: true,
  },
  {
    name: 'another key of the operator',
    seen: lines(3),
    lie: { lines: lines(4), says: { operator: didOfOwner(other) } },
    isWitnessed: true,
    isSeenByWatchers: true,
  },
]

describe('programs of others judge an operator who lies', { skip }, () => {
  const opened = new AsyncDisposableStack()
  const sources: Source[] = []
  const watchers: Verifier[] = []
  let lite: Awaited<ReturnType<typeof startLitewitness>>
  let omni: Awaited<ReturnType<typeof startOmniwitness>>
  let path: string
  const originOf = (number: number): string => `mill-${number}.example/ledger/live`

  before(async () => {
    path = opened.use(await makeTemporaryFolder()).path
    for (const number of [...cases, 'killed', 'restored'].keys())
      sources.push(opened.use(await startSource(originOf(number), 100 + number)))
    const logs = sources.map(({ vkey }, number) => ({ vkey, origin: originOf(number) }))
    lite = opened.use(await startLitewitness('lite.example'))
    for (const { vkey } of logs) lite.follow(vkey)
    omni = opened.use(await startOmniwitness('omni.example', logs))
    for (const language of languages) watchers.push(await verifierIn(language, path))
  })
  after(() => opened.disposeAsync())

  /** The line of a witness for this checkpoint; undefined if it does not sign it. */
  const sign = async (url: string, body: string): Promise<string | undefined> => {
    const answer = await fetch(`${url}/add-checkpoint`, { method: 'POST', body })
    const text = await answer.text()
    return answer.status === 200 ? text : undefined
  }
  const signedByWitnesses = async (body: string): Promise<readonly string[]> =>
    (await Promise.all([lite, omni].map(({ url }) => sign(url, body)))).flatMap((line) => line ?? [])

  /** What a source shows, as fsck sees it over HTTP, and in a copy by the mirror. */
  const fsck = async ({ url, vkey }: Source, name: string) => {
    const key = join(path, `${name}.vkey`)
    const copy = join(path, `${name}.copy`)
    await mkdir(copy, { recursive: true })
    await writeFile(key, `${vkey}\n`)
    // It exits with 0 whatever it finds.
    const check = async (address: string) => {
      const { says } = await run(judge.fsck, `--storage_url=${address}/`, `--public_key=${key}`, '--ui=false')
      return { isAccepted: says.includes("Successfully fsck'd log"), says }
    }
    const checked = await check(url)
    // With more workers than entries it never ends.
    const given = [`--source_url=${url}/`, `--storage_dir=${copy}`, '--num_workers=1']
    const mirrored = await run(judge.mirror, ...given)
    const copied = await check(`file://${copy}`)
    return { checked, mirrored, copied }
  }

  /** By torchwood: whether two of three have signed what this proof leads to. */
  const torchwood = async (
    source: Source,
    node: LogNode,
    proof: string,
    quorum = 'all inspector lite omni',
  ) => {
    const policy = [
      `log ${source.vkey}`,
      `witness inspector ${node.keys.node.vkey}`,
      `witness lite ${lite.vkey}`,
      `witness omni ${omni.vkey}`,
      `group enough ${quorum}`,
      'quorum enough',
    ]
    const files = ['tw.policy', 'tw.entry', 'tw.proof'].map((name) => join(path, name))
    const [first = '', second = '', third = ''] = files
    await writeFile(first, `${policy.join('\n')}\n`)
    await writeFile(second, writeLogEntry({ transaction: certificate(1), time: at(2) }))
    await writeFile(third, proof)
    return await run(judge.torchwood, first, second, third)
  }
  const proofIn = async (node: LogNode): Promise<string> => {
    const found = await logOf(node).read((copy, published) =>
      proofOf(sha256('pdf 1'), { copy, published, format: 2 }),
    )
    return (JSON.parse(JSON.stringify(found)) as { readonly proof: string }).proof
  }
  /** The proof that the operator makes of its own entries. */
  const proofBy = async (source: Source, { lines: all, says }: Case['lie']): Promise<string> => {
    await using own = await startSource('own.example/ledger/live')
    await using folder = await holding(own)
    const node = await folder.open()
    await own.serve(all)
    await logOf(node).poll()
    const proof = await proofIn(node)
    await node.close()
    return proof.slice(0, proof.indexOf('\n\n') + 2) + (await source.sign(all, says))
  }
  const watch = async (source: Source, name: string, start: string, ...more: readonly string[]) => {
    const from = join(path, `${name}.start`)
    await writeFile(from, start)
    return await Promise.all(
      watchers.map((watcher, number) =>
        watcher.run([
          'watch',
          '--from',
          from,
          '--url',
          source.url,
          '--key',
          source.vkey,
          '--state',
          join(path, `${name}-${number}.state`),
          '--once',
          ...more,
        ]),
      ),
    )
  }

  for (const [number, { name, seen, lie, isWitnessed, isSeenByWatchers }] of cases.entries())
    test(`who shows ${name}`, async () => {
      const source = sources[number] ?? assert.fail()
      await using folder: Held = await holding(source)
      const node = await folder.open()
      const start = await source.serve(seen)
      await logOf(node).poll()
      const honest = await source.request(0, seen)
      const signatures = await signedByWitnesses(honest)
      assert.equal(signatures.length, 2, 'both sign what is honest')
      const confirmed = (await proofIn(node)) + signatures.join('')
      assert.ok((await torchwood(source, node, confirmed)).isAccepted, 'torchwood accepts what is honest')
      for (const judged of Object.values(await fsck(source, `honest-${number}`)))
        assert.ok(judged.isAccepted, judged.says)
      for (const watched of await watch(source, `honest-${number}`, start, '--full'))
        assert.equal(watched.code, 0, watched.output + watched.errors)

      await source.serve(lie.lines, lie.says)
      const body = await source.request(Math.min(seen.length, lie.lines.length), lie.lines, lie.says)
      const signed = await signedByWitnesses(body)
      assert.equal(signed.length, isWitnessed ? 2 : 0)
      const sent = await node.addCheckpoint(body)
      const held = sent.status === 200 ? sent.text : ''
      await logOf(node).poll()
      const lied = (await proofBy(source, lie)) + signed.join('') + held
      assert.equal((await torchwood(source, node, lied)).isAccepted, false, 'torchwood demands the node')
      const witnesses = await torchwood(source, node, lied, 'all lite omni')
      assert.equal(witnesses.isAccepted, isWitnessed, 'torchwood with witnesses only')
      // They know no earlier checkpoint, and nothing of what entries mean.
      const { checked } = await fsck(source, `lie-${number}`)
      assert.ok(checked.isAccepted, checked.says)
      for (const watched of await watch(source, `lie-${number}`, start))
        assert.equal(watched.code === 1, isSeenByWatchers, watched.output + watched.errors)
      for (const watched of await watch(source, `full-${number}`, start, '--full'))
        assert.equal(watched.code, 1, watched.output + watched.errors)
      assert.ok((await torchwood(source, node, (await proofIn(node)) + signatures.join(''))).isAccepted)
      await node.close()
    })

  test('whose files do not fit its checkpoint: fsck refuses them, and the mirror copies them', async () => {
    const source = sources.at(-2) ?? assert.fail()
    await source.serve(lines(4))
    source.spoil = (file, bytes) => (file.startsWith('tile/entries/') ? bytes.map((byte) => byte ^ 1) : bytes)
    const { checked, mirrored, copied } = await fsck(source, 'spoiled')
    const watched = await watch(source, 'spoiled', await source.sign(lines(4)), '--full')
    source.spoil = undefined
    // Nobody has signed that: a watcher has no proof against the log, and says that it cannot check it.
    assert.deepEqual(
      watched.map(({ code }) => code),
      [5, 5],
    )
    assert.deepEqual([checked.isAccepted, mirrored.isAccepted, copied.isAccepted], [false, true, false])
  })

  test('who was killed and replaced by a fork: what the node has goes on being accepted', async () => {
    const number = sources.length - 2
    await using honest = await startSource(originOf(number), 100 + number)
    await using folder = await holding(honest)
    const node = await folder.open()
    await honest.serve(lines(4))
    await logOf(node).poll()
    const signed = await signedByWitnesses(await honest.request(0, lines(4)))
    await honest[Symbol.asyncDispose]()
    const proof = (await proofIn(node)) + signed.join('')
    assert.ok((await torchwood(honest, node, proof)).isAccepted)
    await using successor = await startSource(originOf(number), 100 + number)
    const body = await successor.request(4, longer)
    assert.deepEqual(await signedByWitnesses(body), [])
    assert.notEqual((await node.addCheckpoint(body)).status, 200)
    assert.ok((await torchwood(honest, node, (await proofIn(node)) + signed.join(''))).isAccepted)
    await node.close()
  })

  test('who finds a node that was restored from an old copy: the others are no quorum with it', async () => {
    const number = sources.length - 1
    const source = sources[number] ?? assert.fail()
    await using folder = await holding(source)
    await source.serve(lines(3))
    const old = await folder.open()
    await logOf(old).poll()
    await old.close()
    // The node that everybody has seen goes on elsewhere, and this folder stays as old as it is.
    assert.equal((await signedByWitnesses(await source.request(0, lines(4)))).length, 2)
    const restored = await folder.open()
    await source.serve(longer)
    await logOf(restored).poll()
    const proof = await proofIn(restored)
    assert.match(splitNote(proof.slice(proof.indexOf('\n\n') + 2)).text, /^5$/m)
    assert.deepEqual(await signedByWitnesses(await source.request(4, longer)), [])
    const two = await torchwood(source, restored, proof, '2 inspector lite omni')
    assert.equal(two.isAccepted, false)
    await restored.close()
  })
})
