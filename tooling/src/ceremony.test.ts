import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findCeremony, isMeasured, kinds } from './ceremony.ts'

const sources = {
  'nested ternary': [
    'const x = a ? 1 : b ? 2 : 3',
    'const x = a ? (b ? 1 : 2) : 3',
    'const x = (a ? b : c) ? 1 : 2',
    'const x = a ? 1 : ((b ? 2 : 3) as number)',
  ],
  'type used once': [
    'type One = { a: 1 }\nexport const f = (one: One) => one',
    'interface One { a: 1 }\nexport type Two = One | undefined',
    'interface One { a: 1 }\nexport interface Two extends One { b: 1 }',
    'type One = { a: 1 }\nexport { type One }',
  ],
  'forwarding function': [
    'const f = (a, b) => g(a, b)',
    'const f = async (a) => await deps.g(a)',
    'function f(a) { return g(a) }',
    'const f = (a) => g.h(a)',
    'class A { f(a) { return this.g.h(a) } }',
    'xs.map((x) => g(x))',
  ],
  'conditional spread': [
    'const x = { ...(a ? { b } : {}) }',
    'const x = { ...(a && { b }) }',
    'const x = { ...(a ?? {}) }',
  ],
  Pick: ["const f = (a: Pick<Big, 'b'>) => a.b"],
} as const

const harmless = [
  'const x = a ? f(b ? 1 : 2) : 3',
  'const x = a ? [b ? 1 : 2] : 3',
  'type Two = { a: 1 }\nexport const f = (one: Two): Two => one',
  'export type One = { a: 1 }\nconst one: One = { a: 1 }',
  'const f = (a, b) => g(b, a)',
  'const f = (a) => g(a, 1)',
  'const f = () => g()',
  'xs.map((x) => g.h(x))',
  'const o = { f: (a) => g.h(a) }',
  'const f = (a) => /a/.test(a)',
  'const f = ({ a }) => g(a)',
  'const f = (a) => { log(); return g(a) }',
  'const x = { ...a }',
  'const x = [...(a ? [b] : [])]',
]

describe('the count of ceremony', () => {
  for (const kind of kinds)
    for (const source of sources[kind])
      test(`finds a ${kind} in ${source.replaceAll('\n', '; ')}`, () => {
        assert.deepEqual(
          findCeremony('a.ts', `\n${source}`).map(({ kind: found }) => found),
          [kind],
        )
      })

  test('says the line', () => {
    assert.deepEqual(findCeremony('a.ts', '\n\nconst x = a\n  ? 1\n  : b ? 2 : 3'), [
      { kind: 'nested ternary', path: 'a.ts', line: 5 },
    ])
  })

  for (const source of harmless)
    test(`finds nothing in ${source.replaceAll('\n', '; ')}`, () => {
      assert.deepEqual(findCeremony('a.ts', source), [])
    })

  test('leaves tests and what they use out', () => {
    const paths = ['a.ts', 'a.test.ts', 'b.suite.ts', 'server/test/c.ts', 'server/src/journeys/d.ts', 'e.tsx']
    assert.deepEqual(paths.filter(isMeasured), ['a.ts', 'e.tsx'])
  })
})
