import assert from 'node:assert/strict'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { parseNoteKey, verifyCheckpoint, writeTlogProof } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { millseal, running, temporaryFolder } from '../test/millseal.ts'
import { newLogSigner, publish, randomLeaves, servedFolder } from '../test/served-log.ts'

const origin = 'log.example/2026'
const at = (minute: number) => `2026-11-22T05:${String(minute).padStart(2, '0')}:00.000Z`
const signer = newLogSigner(origin)
const leaves = randomLeaves(700)

let served: Awaited<ReturnType<typeof servedFolder>>
let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  served = await servedFolder()
  folder = await temporaryFolder()
})
after(async () => {
  await served[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

let state: string
let turn = 0
/** The log has 300 entries, and the state file knows it. */
beforeEach(async () => {
  served.state.status = 200
  turn += 1
  state = join(folder.path, `state-${turn}`)
  await publish(served.path, { leaves: leaves.slice(0, 300), note: await noteOf(300) })
  assert.equal((await once('--key', signer.vkey)).status, 0)
})

const noteOf = (size: number, minute = 10): Promise<string> =>
  signer.signed(leaves.slice(0, size), { time: at(minute) })

const once = (...more: string[]) =>
  millseal(['log', 'watch', '--url', served.url, '--state', state, '--once', ...more])

type Answer = {
  readonly outcome: string
  readonly reason?: string
  readonly known?: string
  readonly served?: string
}

/** The log is served like this; the watcher says that it does not continue, with evidence, and keeps what it knew. */
const assertApart = async (reason: RegExp, isSigned = true): Promise<void> => {
  const kept = await readFile(state, 'utf8')
  const text = await once()
  assert.deepEqual([text.status, text.stderr], [1, ''])
  const json = await once('--json')
  assert.equal(json.status, 1)
  const { outcome, reason: says = '', known = '', served: now = '' } = JSON.parse(json.stdout) as Answer
  assert.equal(outcome, 'apart')
  assert.match(says, reason)
  assert.equal(known, await noteOf(300))
  assert.equal(now, await readFile(join(served.path, 'checkpoint'), 'utf8'))
  for (const note of [known, now]) assert.ok(text.stdout.includes(note.trimEnd()), text.stdout)
  const key = parseNoteKey(signer.vkey, nodePrimitives)
  if (isSigned) for (const note of [known, now]) verifyCheckpoint(note, key, nodePrimitives)
  assert.equal(await readFile(state, 'utf8'), kept)
}

describe('millseal log watch', () => {
  test('proves that a log only grew, and keeps the newest checkpoint', async () => {
    for (const size of [300, 301, 512, 700]) {
      await publish(served.path, { leaves: leaves.slice(0, size), note: await noteOf(size, 11) })
      const { status, stdout } = await once('--json')
      assert.equal(status, 0, stdout)
      assert.equal((JSON.parse(stdout) as { size: number }).size, size)
      const { checkpoint } = JSON.parse(await readFile(state, 'utf8')) as { checkpoint: string }
      assert.equal(checkpoint, await noteOf(size, 11))
    }
  })

  test('prints both signed checkpoints of a fork of the same size', async () => {
    const other = [...randomLeaves(1), ...leaves.slice(1, 300)]
    await publish(served.path, { leaves: other, note: await signer.signed(other, { time: at(11) }) })
    await assertApart(/two different trees of 300 entries/)
  })

  test('prints both signed checkpoints of a fork that has grown', async () => {
    const other = [...leaves.slice(0, 299), ...randomLeaves(201)]
    await publish(served.path, { leaves: other, note: await signer.signed(other, { time: at(11) }) })
    await assertApart(/The first 300 entries of the log are not the ones it had/)
  })

  test('prints both signed checkpoints of a log that became shorter', async () => {
    await publish(served.path, { leaves: leaves.slice(0, 299), note: await noteOf(299, 11) })
    await assertApart(/shorter: it had 300 entries and has 299/)
  })

  test('prints both signed checkpoints of a log whose time went backwards', async () => {
    await publish(served.path, { leaves: leaves.slice(0, 400), note: await noteOf(400, 9) })
    await assertApart(/time of the log went backwards/)
    await publish(served.path, {
      leaves: leaves.slice(0, 400),
      note: await signer.signed(leaves.slice(0, 400)),
    })
    await assertApart(/time of the log went backwards, from \S+ to none/)
  })

  test('prints both signed checkpoints of a log whose operator has another key', async () => {
    const signed = (minute: number, operator: string, size = 400) =>
      signer.signed(leaves.slice(0, size), { time: at(minute), operator })
    const [first, second] = [
      'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
      'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp',
    ]
    await publish(served.path, { leaves: leaves.slice(0, 400), note: await signed(11, first) })
    assert.equal((await once()).status, 0)
    for (const size of [400, 500]) {
      await publish(served.path, { leaves: leaves.slice(0, size), note: await signed(12, second, size) })
      const { status, stdout } = await once()
      assert.equal(status, 1)
      assert.match(stdout, /names another operator: it had did:key:z6MkpT\w+ and has did:key:z6MkiT/)
    }
  })

  test('refuses a checkpoint that another key has signed', async () => {
    const note = await newLogSigner(origin).signed(leaves.slice(0, 400), { time: at(11) })
    await publish(served.path, { leaves: leaves.slice(0, 400), note })
    await assertApart(/No trusted key has signed/, false)
  })

  test('names the log if another one is served at its address', async () => {
    const note = await newLogSigner('log.example/2027').signed(leaves.slice(0, 400), { time: at(11) })
    await publish(served.path, { leaves: leaves.slice(0, 400), note })
    await assertApart(/serves the log log\.example\/2027 now, not log\.example\/2026$/, false)
  })

  test('refuses tiles that are damaged or too short', async () => {
    await publish(served.path, { leaves: leaves.slice(0, 400), note: await noteOf(400, 11) })
    const tile = join(served.path, 'tile/0/001.p/144')
    const bytes = await readFile(tile)
    await writeFile(tile, bytes.with(32 * 100, (bytes[32 * 100] ?? 0) ^ 1))
    await assertApart(/tiles that the log serves do not belong to its checkpoint/)
    await writeFile(tile, bytes.subarray(1))
    await assertApart(/tile\/0\/001\.p\/144 has 4607 bytes instead of 4608/)
    await writeFile(tile, Buffer.concat([bytes, bytes]))
    await assertApart(/tile\/0\/001\.p\/144 is too large/)
  })

  test('reads the full tile if the partial one is gone', async () => {
    await publish(served.path, { leaves: leaves.slice(0, 400), note: await noteOf(400, 11) })
    const partial = join(served.path, 'tile/0/001.p/144')
    await rm(partial)
    assert.equal((await once()).status, 5)
    await copyFile(await fullTile(), join(served.path, 'tile/0/001'))
    assert.equal((await once()).status, 0)
  })

  test('says that a log cannot be checked while it is unreachable, and continues later', async () => {
    served.state.status = 503
    const failed = await once('--json')
    assert.deepEqual([failed.status, (JSON.parse(failed.stdout) as Answer).outcome], [5, 'unchecked'])
    assert.match(failed.stderr, /^millseal: \S+checkpoint answered with status 503\n$/)
    const args = ['log', 'watch', '--url', served.url, '--state', state, '--every', '1s']
    await using watching = running(args)
    await watching.until(/status 503\. Trying again/)
    await publish(served.path, { leaves: leaves.slice(0, 400), note: await noteOf(400, 11) })
    served.state.status = 200
    await watching.until(/400 entries at \S+, continues the 300 entries known before/)
    const other = randomLeaves(400)
    await publish(served.path, { leaves: other, note: await signer.signed(other, { time: at(12) }) })
    await watching.until(/THE LOG DOES NOT CONTINUE: The log has signed two different trees/)
  })

  test('starts from a checkpoint, a bundle or a tlog-proof, and from the key of a policy', async () => {
    const checkpoint = await noteOf(300)
    const proof = writeTlogProof({ index: 0, path: [], checkpoint })
    await publish(served.path, { leaves, note: await noteOf(700, 11) })
    const policy = join(folder.path, 'policy.json')
    await writeFile(policy, JSON.stringify({ logs: [signer.vkey] }))
    const from = join(folder.path, 'from')
    for (const held of [
      checkpoint,
      proof,
      JSON.stringify({ formatVersion: 2, proof }),
      JSON.stringify({ tlogProof: proof }),
    ]) {
      await writeFile(from, held)
      const ran = await millseal([
        'log',
        'watch',
        '--url',
        served.url,
        '--from',
        from,
        '--policy',
        policy,
        '--once',
      ])
      assert.equal(ran.status, 0, ran.stderr)
      assert.match(ran.stdout, /700 entries at \S+, continues the 300 entries/)
    }
  })

  test('names a key that only the log itself vouches for', async () => {
    await writeFile(join(served.path, 'vkey'), `${signer.vkey}\n`)
    const { status, stderr } = await millseal(['log', 'watch', '--url', served.url, '--once'])
    assert.equal(status, 0)
    assert.match(stderr, /^The key of the log comes from \S+ itself\. Compare it/)
  })

  test('reports invalid arguments in one line with exit code 2, and unreadable files with 5', async () => {
    const text = join(folder.path, 'text')
    await writeFile(text, '{"no": "checkpoint"}')
    for (const [status, args] of [
      [2, ['--every', '0s']],
      [2, ['--every', '25h']],
      [2, ['--server', served.url]],
      [2, ['--mode', 'test']],
      [2, ['--key', signer.vkey, '--policy', text]],
      [5, ['--from', text]],
      [5, ['--from', join(folder.path, 'missing')]],
      [5, ['--state', text]],
      [5, ['--key', newLogSigner(origin).vkey]],
    ] as const) {
      const ran = await once(...args)
      assert.equal(ran.status, status, args.join(' ') + ran.stderr)
      assert.match(ran.stderr, /^millseal: [^\n]+\n$/)
    }
  })
})

const fullTile = async (): Promise<string> => {
  const path = join(folder.path, 'full-tile')
  await writeFile(path, Buffer.concat(leaves.slice(256, 512)))
  return path
}
