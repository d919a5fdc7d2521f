import assert from 'node:assert/strict'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { CorpusCase } from '../../../proof/src/vectors/cases.fixture.ts'
import { corpus } from '../../../proof/src/vectors/corpus.fixture.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../../server/test/temporary-folder.ts'
import { type Language, languages, missing, verifierIn } from './programs.ts'
import { commandReader, hasFile, pageReader, pureReader, type Reader } from './readers.ts'

const root = join(import.meta.dirname, '../../..')

let folder: TemporaryFolder
let groups: Readonly<Record<string, readonly CorpusCase[]>>
let all: readonly CorpusCase[]
/** The groups whose files reach every rule: enough to find a fault. */
let telling: readonly CorpusCase[]
/** What command and page answer: questions with a file. The page's portable code takes longer, so it gets a part of them. */
let asked: Readonly<Record<'command' | 'page', readonly CorpusCase[]>>
let smallestFirst: readonly string[]

const sizeOf = (group: string): number => groups[group]?.length ?? 0

const putCorpus = async (name: string, lists: Readonly<Record<string, readonly CorpusCase[]>>) => {
  await mkdir(join(folder.path, name), { recursive: true })
  for (const [group, list] of Object.entries(lists))
    await writeFile(join(folder.path, name, `${group}.json`), JSON.stringify(list))
}

before(async () => {
  folder = await makeTemporaryFolder()
  groups = await corpus()
  all = Object.values(groups).flat()
  const { altered: _, ...others } = groups
  smallestFirst = Object.keys(others).toSorted((one, other) => sizeOf(one) - sizeOf(other))
  telling = smallestFirst.flatMap((group) => groups[group] ?? [])
  const command = telling.filter(hasFile)
  const page = command.filter(
    ({ name, verdict }, at) => name.startsWith('certificate:') || verdict === 'unchecked' || at % 20 === 0,
  )
  asked = { command, page }
  await putCorpus('corpus', groups)
  for (const [group, list] of Object.entries(others))
    await putCorpus(join('telling', group), { [group]: list })
})
after(() => folder[Symbol.asyncDispose]())

const differencesOf = async (reader: Reader, cases: readonly CorpusCase[], most = 20): Promise<string[]> => {
  const found: string[] = []
  for (const one of cases) {
    const verdict = await reader(one)
    if (verdict !== one.verdict) found.push(`${one.name}: expected ${one.verdict}, got ${verdict}`)
    if (found.length === most) break
  }
  return found
}

describe('each file of the differential corpus has the verdict that docs/bundle.md decides', () => {
  test('in the pure reader', async () => {
    assert.ok(all.length > 4_200, `only ${all.length} files`)
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length, 'every name is of one file')
    assert.deepEqual(await differencesOf(await pureReader(root), all), [])
  })

  test('in the command, without the alterations of one leaf', async () => {
    const reader = await commandReader(root, join(folder.path, 'command'))
    assert.ok(asked.command.length > 1_000, `only ${asked.command.length} files`)
    assert.deepEqual(await differencesOf(reader, asked.command), [])
  })

  test('in the page, whose portable code takes longer: every text form, and a part of the others', async () => {
    assert.ok(asked.page.length > 300, `only ${asked.page.length} files`)
    assert.deepEqual(await differencesOf(await pageReader(root), asked.page), [])
  })

  for (const language of languages)
    test(`in ${language}`, { skip: missing[language] }, async () => {
      const verifier = await verifierIn(language, folder.path)
      const { code, output, errors } = await verifier.run(['vectors', join(folder.path, 'corpus')])
      assert.equal(code, 0, output + errors)
      assert.match(output, new RegExp(`^${all.length} vectors, 0 differences`))
    })
})

/** Faults at the places where the verifiers once disagreed. */
const faults: Readonly<Record<Language | 'pure reader' | 'page' | 'command', readonly Fault[]>> = {
  Go: [
    ['verifiers/go/checkpoint.go', 'isKnown && !key.Verify', 'false && isKnown && !key.Verify'],
    ['verifiers/go/json.go', 'strings.TrimPrefix(string(text), byteOrderMark)', 'string(text)'],
    ['verifiers/go/status.go', '!l.isWellFormed() || ', ''],
    ['verifiers/go/json.go', '|| digits == "-0"', ''],
    ['verifiers/go/report.go', 'recorded.Add(clockTolerance)', 'recorded'],
    ['verifiers/go/report.go', '!review.isDatedBefore() ||', ''],
    ['verifiers/go/verify.go', 'if !isObject {', 'if false && !isObject {'],
    ['verifiers/go/verify.go', '"formatVersion", "logs"', '"formatVersion"'],
    ['verifiers/go/checkpoint.go', 'hasControl(parts[0]) ||', ''],
    ['verifiers/go/checkpoint.go', '|| parts[1] != fmt.Sprintf("%08x", verifier.KeyHash())', ''],
    ['verifiers/go/checkpoint.go', 'if hasControl(name) {', 'if false {'],
    ['verifiers/go/age.go', 'r.now.Sub(at) > r.maxAge', 'r.now.Sub(at) >= r.maxAge'],
    ['verifiers/go/age.go', '|| allowed < r.maxAge', ''],
    ['verifiers/go/confirmation.go', 'int64(one.seconds)+1', 'int64(one.seconds)'],
    ['verifiers/go/confirmation.go', 'seconds <= lastSecond && ', ''],
    [
      'verifiers/go/confirmation.go',
      'p.quorumAmong("nodes", found, p.nodes)',
      'p.quorumAmong("nodes", found, map[string]bool{"university": true})',
    ],
    ['verifiers/go/confirmation.go', 'fmt.Sprintf("%x", hash[:4]) != parts[2]', 'false'],
    ['verifiers/go/tlogpolicy.go', 'isRefusedInPolicy) >= 0', 'isRefusedInPolicy) > 1000'],
    ['verifiers/go/tlogpolicy.go', ' || p.isMember[member]', ''],
    ['verifiers/go/report.go', 'case r.isUnconfirmed():', 'case false:'],
  ],
  Python: [
    ['verifiers/python/millseal_verifier/log.py', 'if key.name == name and', 'if False and'],
    ['verifiers/python/millseal_verifier/canonical.py', '.removeprefix(BYTE_ORDER_MARK)', ''],
    ['verifiers/python/millseal_verifier/status.py', 'not _is_well_formed(leaf) or ', ''],
    ['verifiers/python/millseal_verifier/canonical.py', 'or digits == "-0"', ''],
    ['verifiers/python/millseal_verifier/verify.py', '+ CLOCK_TOLERANCE_MS', '+ 1'],
    [
      'verifiers/python/millseal_verifier/verify.py',
      'or not _is_dated_before(review.member("reviewedAt"), evidence.review.time)',
      '',
    ],
    ['verifiers/python/millseal_verifier/verify.py', '"formatVersion", "logs"', '"formatVersion"'],
    ['verifiers/python/millseal_verifier/log.py', '\\x7f-', '\\x80-'],
    ['verifiers/python/millseal_verifier/log.py', '[^\\s+', '[^\\s\\ufeff+'],
    [
      'verifiers/python/millseal_verifier/log.py',
      'text, keys)',
      'text, [key for key in keys if key.name == origin])',
    ],
    ['verifiers/python/millseal_verifier/age.py', 'at is None or ', 'at is not None and '],
    ['verifiers/python/millseal_verifier/age.py', '(self.max_age, allowed)', '(self.max_age,)'],
    [
      'verifiers/python/millseal_verifier/confirmation.py',
      'fromtimestamp(seconds + 1',
      'fromtimestamp(seconds',
    ],
    ['verifiers/python/millseal_verifier/confirmation.py', 'found.sort(', 'sorted(found, '],
    ['verifiers/python/millseal_verifier/confirmation.py', 'found, policy.nodes,', 'found, {"university"},'],
    ['verifiers/python/millseal_verifier/tlog_policy.py', 'parts[2] != key_id.hex()', 'False'],
    ['verifiers/python/millseal_verifier/tlog_policy.py', ' or member in self.members', ''],
    ['verifiers/python/millseal_verifier/verify.py', 'elif confirmed.is_missing:', 'elif False:'],
  ],
  'pure reader': [
    ['proof/src/log/note.ts', 'throw new NoteRefused(`The signature of ${name} is wrong`)', 'return []'],
    ['proof/src/verification/bundle.ts', '|| Object.is(value, -0)', ''],
    ['proof/src/status/status-leaf.ts', '(count === 0) === (subject ===', 'true || (subject ==='],
    ['proof/src/verification/bundle.ts', 'deepestBundle = 68', 'deepestBundle = 100'],
    ['proof/src/verification/issuer.ts', 'toleranceMs = 60_000', 'toleranceMs = 59_999'],
    ['proof/src/verification/issuer.ts', 'isLogTime(reviewedAt) &&', ''],
    ['proof/src/verification/verify-bundle.ts', 'recordedAt: review?.time,', ''],
    ['proof/src/log/note.ts', '\\p{Z}', '\\s'],
    ['proof/src/log/note.ts', 'exec(text)', 'exec(text.trim())'],
    [
      'proof/src/verification/verify-bundle.ts',
      'key: policy.logs',
      'key: policy.logs.filter(({ name }) => name === origin)',
    ],
    [
      'proof/src/verification/policy.ts',
      "listIn(json, 'logs').map(",
      "listIn(json, 'logs').slice(0, 1).map(",
    ],
    ['proof/src/verification/status-age.ts', 'days > most', 'days >= most'],
    ['proof/src/ledger/verify-signed.ts', "if (version !== '2.0')", 'if (version === 1)'],
    ['proof/src/verification/status-age.ts', 'allowed ?? Infinity', 'Infinity'],
    ['proof/src/verification/verdict.ts', "if (isUnconfirmed) return 'unconfirmed'", ''],
    ['proof/src/verification/policy.ts', ' || Object.keys(more).length > 0', ''],
    ['proof/src/log/tlog-policy.ts', 'if (policy.members.has(member))', 'if (false)'],
    ['proof/src/log/cosignature.ts', 'if (time > maxTimeSeconds) return undefined', ''],
  ],
  page: [
    ['console/src/verify/read-file.ts', 'deepestCertificate = 64', 'deepestCertificate = 65'],
    ['console/src/verify/read-file.ts', 'if (isObject(json))', 'if (true)'],
  ],
  command: [
    ['cli/src/verification/read-file.ts', 'deepestCertificate = 64', 'deepestCertificate = 65'],
    ['cli/src/verification/read-file.ts', "if (typeof json !== 'object' ||", 'if ('],
    ['cli/src/verification/read-file.ts', "if ('formatVersion' in json)", 'if (false)'],
    ['cli/src/verification/find-bundle.ts', 'serve(hash) : given', 'serve(hash) : (given ?? undefined)'],
  ],
}
type Fault = readonly [file: string, text: string, fault: string]

/** A copy of the sources of all readers with the fault. */
const planted = async (place: string, [file, text, fault]: Fault): Promise<string> => {
  for (const part of ['verifiers', 'proof', 'console/src', 'cli', 'package.json'])
    await cp(join(root, part), join(place, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(place, 'node_modules'))
  const source = await readFile(join(place, file), 'utf8')
  assert.ok(source.includes(text), `${file} has no "${text}"`)
  await writeFile(join(place, file), source.replace(text, fault))
  return place
}

describe('the corpus finds a fault', () => {
  for (const [where, list] of Object.entries(faults))
    for (const [number, fault] of list.entries()) {
      const language = languages.find((one) => one === where)
      const skip = language === undefined ? false : missing[language]
      test(`in ${where}: ${fault[1]}`, { skip }, async () => {
        const place = await planted(join(folder.path, `${where}-${number}`), fault)
        if (language !== undefined) {
          const verifier = await verifierIn(language, place, join(place, 'verifiers'))
          for (const group of smallestFirst) {
            const { code } = await verifier.run(['vectors', join(folder.path, 'telling', group)])
            if (code === 1) return
          }
          assert.fail('no file has another verdict')
        }
        const readers = {
          'pure reader': () => pureReader(place),
          page: () => pageReader(place),
          command: () => commandReader(place, join(place, 'given')),
        }
        const reader = await readers[where as keyof typeof readers]()
        const given = where === 'pure reader' ? telling : asked[where as keyof typeof asked]
        assert.equal((await differencesOf(reader, given, 1)).length, 1)
      })
    }
})
