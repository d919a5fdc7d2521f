import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { canonicalJson } from '../../../proof/src/json/canonical.ts'
import type { JsonValue } from '../../../proof/src/json/read.ts'
import { ownerOf } from '../../../proof/src/ledger/owners.fixture.ts'
import { mixesAlphabets } from '../../../proof/src/verification/alphabets.ts'
import { alterationsOf } from '../../../proof/src/vectors/alterations.fixture.ts'
import { createTestLog, didOfOwner, record } from '../../../proof/src/vectors/log.fixture.ts'
import type { Vector } from '../../../proof/src/vectors/cases.fixture.ts'
import { vectors } from '../../../proof/src/vectors/vectors.fixture.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../../server/test/temporary-folder.ts'
import { listUnformattedGo, runGo } from '../../../server/test/tlog-verifier.ts'
import { languages, missing, sources, type Verifier, verifierIn } from './programs.ts'
import { forgeCertificate, forgers } from './weak-signatures.ts'

const published = join(import.meta.dirname, '../../../proof/vectors')
const mill = ownerOf(5)
const at = (minute: number): string => `2026-11-22T05:${minute}:00.000Z`
const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')

/** Everything in which JSON libraries write different texts. */
const certificate = {
  numbers: [0, -0, 1.5, 1e21, 1e-6, 1e-7, 5e-324, 1.7976931348623157e308, -0.1],
  '\u{1f600}': 'sorted by UTF-16 units',
  '\ufb33': '\u2028\u007f\u0000\u001f"\\/\b\f\n\r\t',
  '': { b: null, a: true, B: false },
}
const json = JSON.stringify(certificate, undefined, 3)
const pdf = Buffer.from('%PDF-1.7\n\u{1f600}')
const hashes = { jsonHash: sha256(canonicalJson(certificate)), pdfHash: sha256(pdf) }

/** A log with one certificate, and those corrections of it. */
const bundleOf = async (origin: string, ...corrections: Readonly<Record<string, string>>[]) => {
  const log = createTestLog(origin)
  const transaction = log.add(record(mill, hashes), at(10))
  for (const correction of corrections)
    log.add(
      record(mill, { type: 'correction', reason: 'x', transactionId: transaction.id, ...correction }),
      at(20),
    )
  return { bundle: await log.bundle(transaction, {}, at(30)), vkey: log.vkey }
}
const known = { issuers: [{ did: didOfOwner(mill), name: 'The mill' }] }

/** Vectors of bundles whose certificate is signed by each forger. */
const forgedVectors = (): Promise<Vector[]> =>
  Promise.all(
    Object.entries(forgers).map(async ([name, forger]) => {
      // Without status tree, because the one of the product refuses weak keys.
      const log = createTestLog('mill.example/ledger/live', { hasStatus: false })
      const transaction = log.add(forgeCertificate(record(mill, hashes), forger))
      const bundle = await log.bundle(transaction)
      const verdict = name === 'no fault' ? 'unknownStatus' : 'altered'
      const file = { kind: 'json', hash: hashes.jsonHash } as const
      return { name, file, bundle, policy: { ...known, logs: [log.vkey] }, verdict }
    }),
  )

/** Any of these verdicts is right for an altered bundle. */
const weaker = 'altered|unchecked'

const alteredVectors = async (): Promise<Vector[]> => {
  const { valid = [], corrected = [] } = await vectors()
  const names = ['a reviewed issuer, PDF', 'key revoked by its recovery key']
  return [...valid, ...corrected]
    .filter(({ name }) => names.includes(name))
    .flatMap((vector) =>
      alterationsOf(vector.bundle).map((altered) => ({
        ...vector,
        name: `${vector.name}: ${altered.at}`,
        bundle: altered.bundle,
        verdict: weaker,
      })),
    )
}

for (const language of languages) {
  describe(`the verifier in ${language}`, { skip: missing[language] }, () => {
    let folder: TemporaryFolder
    let verifier: Verifier
    before(async () => {
      folder = await makeTemporaryFolder()
      verifier = await verifierIn(language, folder.path)
    })
    after(() => folder[Symbol.asyncDispose]())

    const put = async (name: string, content: string | Uint8Array): Promise<string> => {
      const path = join(folder.path, name)
      await writeFile(path, content)
      return path
    }
    const runVectors = async (name: string, list: readonly Vector[]) => {
      await mkdir(join(folder.path, name))
      await put(`${name}/vectors.json`, JSON.stringify(list))
      return verifier.run(['vectors', join(folder.path, name)])
    }
    const verify = async (
      {
        bundle,
        file = json,
        ...policy
      }: { bundle: JsonValue | string; file?: string | Uint8Array; [name: string]: unknown },
      ...more: readonly string[]
    ) => {
      const { code, output, errors } = await verifier.run([
        'verify',
        await put('certificate', file),
        '--bundle',
        await put('bundle.json', typeof bundle === 'string' ? bundle : JSON.stringify(bundle)),
        '--policy',
        await put('policy.json', JSON.stringify(policy)),
        '--now',
        at(40),
        ...more,
      ])
      return { code, verdict: output.split('\n')[0], output, errors }
    }

    test('gives the verdict of every published vector', async () => {
      const files = (await readdir(published)).filter((name) => name.endsWith('.json'))
      const lists = await Promise.all(
        files.map(async (name) => JSON.parse(await readFile(join(published, name), 'utf8')) as unknown[]),
      )
      assert.deepEqual(await verifier.run(['vectors', published]), {
        code: 0,
        output: `${lists.flat().length} vectors, 0 differences\n`,
        errors: '',
      })
    })

    test('refuses every alteration of a bundle', async () => {
      const list = await alteredVectors()
      assert.ok(list.length > 800, `only ${list.length} alterations`)
      const { code, output } = await runVectors('altered', list)
      assert.deepEqual([code, output], [0, `${list.length} vectors, 0 differences\n`])
    })

    test('refuses keys and signatures about which implementations disagree', async () => {
      const list = await forgedVectors()
      const { code, output } = await runVectors('weak', list)
      assert.deepEqual([code, output], [0, `${list.length} vectors, 0 differences\n`])
    })

    test('names the vector from which it differs', async () => {
      const [right] = (await vectors())['valid'] ?? []
      assert.ok(right)
      const wrong = { ...right, name: 'a wrong vector', verdict: 'withdrawn' }
      const { code, output } = await runVectors('wrong', [right, wrong])
      assert.equal(code, 1)
      assert.match(output, /"a wrong vector"|'a wrong vector'/)
      assert.match(output, /expected withdrawn, got genuine/)
      assert.match(output, /2 vectors, 1 differences/)
    })

    test('says of a name that it has letters of several alphabets, as the page of bundles does', async () => {
      const { bundle, vkey } = await bundleOf('mill.example/ledger/live')
      for (const [name, mixes] of [
        ['Rolling Mill \u0141\u00f3d\u017a', false],
        ['\u0421\u0435\u0432\u0435\u0440\u0441\u0442\u0430\u043b\u044c', false],
        ['\u5b9d\u94a2 Baosteel', false],
        ['\u0391cmeSteel', true],
        ['\u0410\u0421\u041c\u0415', true],
        ['Ac\u{1d426}e', true],
      ] as const) {
        const issuers = [{ did: didOfOwner(mill), name }]
        const { verdict, output } = await verify({ bundle, logs: [vkey], issuers })
        assert.equal(verdict, 'genuine', output)
        assert.equal(output.includes('letters of several alphabets'), mixes, output)
        assert.equal(mixesAlphabets(name), mixes, name)
      }
    })

    test('prints verdict and answers, with the exit codes of docs/bundle.md', async () => {
      const live = await bundleOf('mill.example/ledger/live')
      const tested = await bundleOf('mill.example/ledger/test')
      const withdrawn = await bundleOf('mill.example/ledger/live', { action: 'withdraw' })
      const given = { bundle: live.bundle, logs: [live.vkey], ...known }
      const { code, output } = await verify(given)
      assert.equal(code, 0, output)
      assert.match(
        output,
        /^genuine\nunchanged +yes .*\nissuer +yes .*The mill.*\ntime +yes .*05:10.*\nstatus +yes .*\nconfirmed +unknown +only the operator .*\n$/,
      )
      const cases = [
        [{ ...given, file: pdf }, 0, 'genuine'],
        [{ ...given, file: `${json} ` }, 0, 'genuine'],
        [{ ...given, file: json.replace('1.5', '1.25') }, 1, 'altered'],
        [{ ...given, file: Buffer.concat([pdf, pdf]) }, 1, 'altered'],
        [{ ...given, issuers: [] }, 3, 'unknownIssuer'],
        [{ ...given, issuers: [], onlyKnownIssuers: true }, 3, 'refused'],
        [{ ...given, bundle: tested.bundle, logs: [tested.vkey] }, 3, 'test'],
        [{ ...given, bundle: withdrawn.bundle }, 4, 'withdrawn'],
        [{ ...given, logs: [] }, 5, 'unchecked'],
        [{ ...given, bundle: '{}' }, 5, 'unchecked'],
        [
          { ...given, bundle: JSON.stringify(live.bundle).replace('{', '{"formatVersion":2,') },
          5,
          'unchecked',
        ],
      ] as const
      for (const [question, exit, verdict] of cases) {
        const answer = await verify(question)
        assert.deepEqual([answer.code, answer.verdict], [exit, verdict], answer.output)
      }
      const later = ['--now', '2026-12-22T05:30:01.000Z']
      const old = await verify(given, ...later)
      assert.deepEqual([old.code, old.verdict], [6, 'oldStatus'])
      assert.match(old.output, /\nstatus +yes .*2026-11-22T05:30:00\.000Z.*: ask again\nconfirmed .*\n$/)
      assert.equal((await verify(given, ...later, '--max-status-age', '31')).code, 0)
      const accepted = { ...given, bundle: tested.bundle, logs: [tested.vkey] }
      assert.equal((await verify(accepted, '--mode', 'test', ...later)).code, 6)
      assert.equal((await verify(accepted, ...later)).code, 3)
      assert.equal((await verify(accepted, '--mode', 'test')).code, 0)
      assert.equal((await verify({ ...accepted, issuers: [] }, '--mode', 'test')).code, 3)
    })

    test('says that an operator reviewed itself, which is genuine all the same', async () => {
      const log = createTestLog('mill.example/ledger/live')
      const { operator } = log
      const who = { did: didOfOwner(operator), company: 'The operator', vatId: 'DE123456789' }
      const own = { type: 'identity', publicKey: operator.publicKey, ...who }
      const says = { type: 'review', ...who, reviewedAt: at(10), evidence: hashes.jsonHash }
      const identity = log.add(record(operator, own), at(10))
      const review = log.add(record(operator, says), at(11))
      const transaction = log.add(record(operator, hashes), at(12))
      const bundle = await log.bundle(transaction, { identity, review }, at(30))
      const { code, output } = await verify({ bundle, logs: [log.vkey] })
      assert.equal(code, 0, output)
      assert.match(
        output,
        /^issuer .*The operator of this service is the issuer itself: no one else reviewed it\.$/m,
      )
      const byPolicy = await verify({ bundle, logs: [log.vkey], issuers: [{ did: who.did, name: 'Ours' }] })
      assert.doesNotMatch(byPolicy.output, /no one else/)
    })

    test('does not start with files that it cannot read, and says why', async () => {
      const { bundle, vkey } = await bundleOf('mill.example/ledger/live')
      const given = { bundle, logs: [vkey] }
      const cases = [
        [{ ...given, file: '{"a": oops}' }, /JSON/],
        [{ ...given, file: '{"a": 1, "a": 2}' }, /twice/],
        [{ ...given, file: '{"a": "\\ud800"}' }, /surrogate/],
        [{ ...given, file: Buffer.from('{"a": "\xff"}', 'latin1') }, /UTF-8|utf-8/],
        [{ ...given, file: '{"a": 9007199254740993}' }, /exactly/],
        [{ ...given, file: '{"a": 0.1234567890123456789}' }, /exactly/],
        [{ ...given, file: `${'['.repeat(100_000)}${']'.repeat(100_000)}` }, /deep|recursion/],
        [{ ...given, onlyKnownIssuer: true }, /onlyKnownIssuer/],
        [{ ...given, logs: ['x'] }, /key of a log/],
        [{ ...given, policyVersion: 3 }, /version/],
      ] as const
      for (const [question, reason] of cases) {
        const { code, output, errors } = await verify(question)
        assert.deepEqual([code, output], [2, ''], errors)
        assert.match(errors, reason)
      }
      for (const wrong of [
        ['--now', 'yesterday'],
        ['--now', '2026-12-22'],
        ['--max-status-age', '-1'],
        ['--max-status-age', '36501'],
        ['--max-status-age', '1.5'],
      ])
        assert.deepEqual([wrong, (await verify(given, ...wrong)).code], [wrong, 2])
    })
  })
}

describe('the sources of the verifier in Go', { skip: missing.Go }, () => {
  test('are formatted, and vet finds nothing', async () => {
    assert.equal(await listUnformattedGo(join(sources, 'go')), '')
    await runGo(join(sources, 'go'), 'vet', '.')
  })
})
