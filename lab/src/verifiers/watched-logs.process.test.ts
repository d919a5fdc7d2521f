import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeTemporaryFolder, type TemporaryFolder } from '../../../server/test/temporary-folder.ts'
import { languages, missing, type Verifier, verifierIn } from './programs.ts'
import { entriesOf, serveLog } from './served-log.ts'

const origin = 'mill.example/ledger/live'

for (const language of languages) {
  describe(`the watcher in ${language}`, { skip: missing[language] }, () => {
    let folder: TemporaryFolder
    let verifier: Verifier
    before(async () => {
      folder = await makeTemporaryFolder()
      verifier = await verifierIn(language, folder.path)
    })
    after(() => folder[Symbol.asyncDispose]())

    /** Starts from a checkpoint, with a state file of its own. */
    const watching = async (log: Awaited<ReturnType<typeof serveLog>>, name: string, start: string) => {
      const from = join(folder.path, `${name}.start`)
      const state = join(folder.path, `${name}.state`)
      await writeFile(from, start)
      const given = ['watch', '--from', from, '--url', log.url, '--key', log.vkey, '--state', state]
      return { given, state, once: () => verifier.run([...given, '--once']) }
    }

    test('joins every size of the log to those before, and keeps the newest checkpoint', async () => {
      await using log = await serveLog(origin)
      const watched = await watching(log, 'growing', await log.publish(entriesOf(1)))
      for (const size of [1, 2, 5, 255, 256, 257, 700, 66_000]) {
        const checkpoint = await log.publish(entriesOf(size))
        const { code, output, errors } = await watched.once()
        assert.equal(code, 0, output + errors)
        assert.match(output, new RegExp(`${size} entries, consistent with the first`))
        assert.equal(await readFile(watched.state, 'utf8'), checkpoint)
      }
    })

    test('reads the full tile where the log has deleted the partial one', async () => {
      await using log = await serveLog(origin)
      const watched = await watching(log, 'partial', await log.publish(entriesOf(100)))
      const full = (await log.publish(entriesOf(256)), log.files.get('tile/0/000'))
      await log.publish(entriesOf(200))
      log.files.delete('tile/0/000.p/200')
      log.files.set('tile/0/000', full ?? '')
      assert.equal((await watched.once()).code, 0)
    })

    for (const [name, size, changed] of [
      ['has shrunk', 200, undefined],
      ['has forked', 300, 7],
      ['has forked', 700, 7],
      ['has forked', 700, 299],
    ] as const)
      test(`notices a log that ${name}: ${size} entries after 300, ${changed ?? 'none'} changed`, async () => {
        await using log = await serveLog(origin)
        const old = await log.publish(entriesOf(300))
        const watched = await watching(log, `${name}-${size}-${changed}`, old)
        assert.equal((await watched.once()).code, 0)
        const fresh = await log.publish(entriesOf(size, changed))
        const { code, output } = await watched.once()
        assert.equal(code, 1, output)
        assert.match(output, new RegExp(name))
        assert.ok(output.includes(old) && output.includes(fresh), output)
        assert.equal(await readFile(watched.state, 'utf8'), old, 'the proof is not overwritten')
      })

    test('notices a fork behind a size that is a power of two, whose proof does not have the old root', async () => {
      await using log = await serveLog(origin)
      const watched = await watching(log, 'power', await log.publish(entriesOf(256)))
      assert.equal((await watched.once()).code, 0)
      await log.publish(entriesOf(300, 7))
      const { code, output } = await watched.once()
      assert.equal(code, 1, output)
      assert.match(output, /has forked: it does not continue what it was/)
    })

    test('notices a checkpoint that contradicts an earlier one', async () => {
      const says = (minute: number, operator: string, size: number, byte = 1) => ({
        time: `2026-11-22T05:${minute}:00.000Z`,
        operator,
        status: { size, root: new Uint8Array(32).fill(byte) },
      })
      const [own, other] = [
        'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
        'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp',
      ]
      await using log = await serveLog(origin)
      const watched = await watching(log, 'contradiction', await log.publish(entriesOf(300)))
      const old = await log.publish(entriesOf(300), says(20, own, 3))
      assert.equal((await watched.once()).code, 0, 'a log may get time, operator and status')
      await log.publish(entriesOf(300), says(21, own, 3))
      assert.equal((await watched.once()).code, 0, 'and may be signed again')
      await log.publish(entriesOf(400), says(21, own, 4, 2))
      assert.equal((await watched.once()).code, 0, 'and get corrections')
      const lies = [
        ['time', says(20, own, 4, 2), 400],
        ['time', {}, 500],
        ['operator', says(22, other, 4, 2), 400],
        ['operator', says(22, other, 5, 3), 500],
        ['status', says(22, own, 4, 3), 400],
        ['status', says(22, own, 5, 2), 400],
        ['status', says(22, own, 3), 500],
      ] as const
      for (const [what, more, size] of lies) {
        const fresh = await log.publish(entriesOf(size), more)
        const { code, output } = await watched.once()
        assert.equal(code, 1, `${what} ${output}`)
        assert.match(output, new RegExp(what))
        assert.ok(output.includes(fresh) && !output.includes(old), output)
      }
    })

    test('notices that a log shrank to a size between the start and the newest', async () => {
      await using log = await serveLog(origin)
      const watched = await watching(log, 'between', await log.publish(entriesOf(10)))
      await log.publish(entriesOf(300))
      assert.equal((await watched.once()).code, 0)
      await log.publish(entriesOf(200))
      const { code, output } = await watched.once()
      assert.equal(code, 1, output)
      assert.match(output, /shrunk/)
    })

    test('does not call a log forked that cannot be read or is not signed', async () => {
      await using log = await serveLog(origin)
      const old = await log.publish(entriesOf(300))
      const watched = await watching(log, 'unreadable', old)
      const fresh = await log.publish(entriesOf(700))
      const faults: readonly (readonly [string, Uint8Array | string, RegExp])[] = [
        ['checkpoint', fresh.replace('\n700\n', '\n701\n'), /not valid|not signed/],
        ['tile/0/001', Buffer.alloc(8_192), /tiles/],
        ['tile/0/001', '', /tile/],
      ]
      for (const [path, content, reason] of faults) {
        const right = log.files.get(path) ?? ''
        log.files.set(path, content)
        const { code, output, errors } = await watched.once()
        assert.deepEqual([code, output], [5, ''], errors)
        assert.match(errors, reason)
        log.files.set(path, right)
      }
      for (const url of [`${log.url}/elsewhere`, 'http://127.0.0.1:1', 'nowhere']) {
        const elsewhere = await verifier.run(watched.given.with(4, url).concat('--once'))
        assert.deepEqual([elsewhere.code, elsewhere.output], [5, ''], elsewhere.errors)
      }
      assert.equal((await watched.once()).code, 0)
    })

    test('does not start from what is not signed by the key', async () => {
      await using log = await serveLog(origin)
      const checkpoint = await log.publish(entriesOf(3))
      for (const start of ['', '{}', checkpoint.replace('\n3\n', '\n4\n'), checkpoint.slice(0, -1)]) {
        const { code, output, errors } = await (await watching(log, 'start', start)).once()
        assert.deepEqual([code, output], [2, ''], errors)
        assert.match(errors, /start/)
      }
    })

    test('keeps watching until the log forks', async () => {
      await using log = await serveLog(origin)
      const watched = await watching(log, 'forever', await log.publish(entriesOf(10)))
      const child = verifier.start([...watched.given, '--every', '0.05'])
      try {
        const { stdout } = child
        assert.ok(stdout)
        const said: string[] = []
        stdout.setEncoding('utf8').on('data', (text: string) => said.push(text))
        while (!said.join('').includes('10 entries')) await once(stdout, 'data')
        await log.publish(entriesOf(20))
        while (!said.join('').includes('20 entries')) await once(stdout, 'data')
        await log.publish(entriesOf(30, 3))
        const [code] = (await once(child, 'close')) as [number]
        assert.equal(code, 1)
        assert.match(said.join(''), /has forked/)
      } finally {
        child.kill('SIGKILL')
      }
    })
  })
}
