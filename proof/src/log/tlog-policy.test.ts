import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { nodePrimitives } from '../../node/primitives.ts'
import { type CosignerKey, cosignerKey, formatCosignerKey, parseCosignerKey } from './cosignature.ts'
import { cosigned, judgedPolicies } from './cosigned.fixture.ts'
import { formatNoteKey, noteKey } from './note.ts'
import { isQuorum, parseTlogPolicy, type TlogPolicy, TlogPolicyUnreadable } from './tlog-policy.ts'

const parse = (text: string): TlogPolicy => parseTlogPolicy(text, nodePrimitives)
const refused = (text: string, reason: RegExp) =>
  assert.throws(
    () => parse(text),
    (error) => error instanceof TlogPolicyUnreadable && reason.test(error.message),
    `${text}\nmust be refused: ${reason.source}`,
  )

const publicKey = (at: number): Uint8Array => nodePrimitives.sha256(Uint8Array.of(at, 7))
const keyOf = (at: number): CosignerKey => cosignerKey(`cosigner-${at}`, publicKey(at), nodePrimitives)
const vkeyOf = (at: number): string => formatCosignerKey(keyOf(at))
const logKeyOf = (at: number): string =>
  formatNoteKey(noteKey(`log-${at}.example`, publicKey(at), nodePrimitives))
const witnesses = (count: number): string =>
  Array.from({ length: count }, (_, at) => `witness w${at} ${vkeyOf(at)}\n`).join('')

describe('a policy', () => {
  test('accepts and rejects the cosigners that another implementation does', () => {
    const keys = cosigned.cosigners.map(({ vkey }) => parseCosignerKey(vkey, nodePrimitives))
    for (const { text, satisfied } of judgedPolicies) {
      const policy = parse(text)
      const sets = Array.from(satisfied, (_, set) => keys.filter((__, at) => (set >> at) % 2 === 1))
      assert.equal(sets.map((set) => Number(isQuorum(policy, set))).join(''), satisfied, text)
    }
  })

  test('has logs and witnesses with their addresses, in any order, and comments', () => {
    const policy = parse(
      `# a comment\n\n \t# another\n${witnesses(1)}\tlog\t${logKeyOf(1)}  \n` +
        `witness Prüfstelle ${vkeyOf(5)} https://w.example/#1 \nquorum Prüfstelle\nlog ${logKeyOf(2)} https://log.example\n`,
    )
    assert.deepEqual(
      policy.logs.map(({ key, url }) => [key.name, url]),
      [
        ['log-1.example', undefined],
        ['log-2.example', 'https://log.example'],
      ],
    )
    assert.deepEqual(
      policy.witnesses.map(({ name, key, url }) => [name, key.name, url]),
      [
        ['w0', 'cosigner-0', undefined],
        ['Prüfstelle', 'cosigner-5', 'https://w.example/#1'],
      ],
    )
    assert.equal(policy.quorum, 'Prüfstelle')
  })

  test('is refused with the number of the line that is wrong', () => {
    const two = witnesses(2)
    const cases: readonly (readonly [string, RegExp])[] = [
      ['', /^line 1: .*without a quorum/],
      [two, /^line 3: .*without a quorum/],
      [`${two}quorum w0`, /^line 3: The last line has no newline/],
      [`${two}quorum w0\nquorum w0\n`, /^line 4: There is already/],
      [`${two}quorum w2\n`, /^line 3: No line before this one defines w2/],
      [`quorum w0\n${two}`, /^line 1: No line before/],
      [`${two}quorum w0 w1\n`, /^line 3: Expected: quorum/],
      [`${two}quorum\n`, /^line 3: Expected: quorum/],
      [`${two}quorum w0 # both\n`, /^line 3: Expected: quorum/],
      [`${two}witness w0 ${vkeyOf(3)}\nquorum w0\n`, /^line 3: w0 is already defined/],
      [`${two}witness none ${vkeyOf(3)}\nquorum none\n`, /^line 3: The name none/],
      [`${two}witness w3 ${vkeyOf(1)}\nquorum w0\n`, /^line 3: The witness w3 has the key of the witness w1/],
      [`witness w0 ${logKeyOf(1)}\nquorum w0\n`, /^line 1: This is not the key of a cosigner/],
      [`log ${vkeyOf(1)}\nquorum none\n`, /^line 1: This is not the key of a log/],
      [`log ${logKeyOf(1)}\nlog ${logKeyOf(1)}\nquorum none\n`, /^line 2: The key of the log log-1\.example/],
      [`log\nquorum none\n`, /^line 1: Expected: log/],
      [`log ${logKeyOf(1)} a b\nquorum none\n`, /^line 1: Expected: log/],
      [`witness w0\nquorum none\n`, /^line 1: Expected: witness/],
      [`${two}group g 1\nquorum g\n`, /^line 3: Expected: group/],
      [`${two}group g 3 w0 w1\nquorum g\n`, /^line 3: 3 of 2 members/],
      [`${two}group g 0 w0 w1\nquorum g\n`, /^line 3: 0 of 2/],
      [`${two}group g 01 w0 w1\nquorum g\n`, /^line 3: 01 of 2/],
      [`${two}group g +1 w0 w1\nquorum g\n`, /^line 3: \+1 of 2/],
      [`${two}group g some w0 w1\nquorum g\n`, /^line 3: some of 2/],
      [`${two}group g any g\nquorum g\n`, /^line 3: No line before this one defines g/],
      [`${two}group g any none\nquorum g\n`, /^line 3: No line before this one defines none/],
      [`${two}group g 2 w0 w0\nquorum g\n`, /^line 3: w0 is already a member/],
      [`${two}group g any w0\ngroup h any w0\nquorum h\n`, /^line 4: w0 is already a member/],
      [`${two}group w1 any w0\nquorum w1\n`, /^line 3: w1 is already defined/],
      [`${two}Quorum w0\n`, /^line 3: Unknown keyword Quorum/],
      [`${two}constructor w0\n`, /^line 3: Unknown keyword constructor/],
      [`${two}quorum w0\r\n`, /^line 3: The line ends with CR LF/],
      [`${two}quorum w0\f\n`, /^line 3: .*control character/],
      [`${two}# \u{FFFD}\nquorum w0\n`, /^line 3: .*not UTF-8/],
      [`${two}quorum\u{A0}w0\n`, /^line 3: Unknown keyword/],
    ]
    for (const [text, reason] of cases) refused(text, reason)
  })

  test('may have 32 logs, witnesses and groups, and no more', () => {
    const logs = Array.from({ length: 33 }, (_, at) => `log ${logKeyOf(at)}\n`)
    const groups = Array.from(
      { length: 33 },
      (_, at) => `group g${at} any ${at === 0 ? 'w0' : `g${at - 1}`}\n`,
    )
    const most = `${logs.slice(0, 32).join('')}${witnesses(32)}${groups.slice(0, 32).join('')}`
    assert.equal(isQuorum(parse(`${most}quorum g31\n`), [keyOf(0)]), true)
    refused(`${most}${logs[32]}quorum none\n`, /^line 97: .*too many logs/)
    refused(`${most}witness w32 ${vkeyOf(32)}\nquorum none\n`, /^line 97: .*too many witnesses/)
    refused(`${most}${groups[32]}quorum none\n`, /^line 97: .*too many groups/)
  })

  test('does not count a key that it does not name, nor the same name with another key', () => {
    const policy = parse(`${witnesses(2)}group both all w0 w1\nquorum both\n`)
    const twin = { ...keyOf(1), cosignerPublicKey: publicKey(9) }
    assert.equal(isQuorum(policy, [keyOf(0), keyOf(1)]), true)
    assert.equal(isQuorum(policy, [keyOf(0), twin]), false)
    assert.equal(isQuorum(policy, [keyOf(0), keyOf(0), keyOf(7)]), false)
  })

  test('of k of n accepts exactly the sets of k or more, and more cosigners never break it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }).chain((n) =>
          fc.record({
            n: fc.constant(n),
            k: fc.integer({ min: 1, max: n }),
            cosigners: fc.subarray(Array.from({ length: n }, (_, at) => at)),
          }),
        ),
        ({ n, k, cosigners }) => {
          const members = Array.from({ length: n }, (_, at) => `w${at}`).join(' ')
          const policy = parse(`${witnesses(n)}group g ${k} ${members}\nquorum g\n`)
          assert.equal(isQuorum(policy, cosigners.map(keyOf)), cosigners.length >= k)
        },
      ),
    )
  })

  test('is read or refused, without any other error', () => {
    const item = fc.oneof(
      fc.constantFrom(
        'log',
        'witness',
        'group',
        'quorum',
        'none',
        'all',
        'any',
        '1',
        '2',
        '#',
        'w0',
        'w1',
        'g',
      ),
      fc.constantFrom(vkeyOf(0), vkeyOf(1), logKeyOf(0)),
      fc.string({ maxLength: 5 }),
    )
    const text = fc
      .array(fc.array(item, { maxLength: 5 }).map((items) => `${items.join(' ')}\n`))
      .map((lines) => lines.join(''))
    fc.assert(
      fc.property(text, (any) => {
        try {
          parse(any)
        } catch (error) {
          assert.ok(error instanceof TlogPolicyUnreadable)
          assert.match(error.message, /^line \d+: /)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
