import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

type Script = { readonly name: string; readonly text: string }
type Given = { readonly change: string; readonly week: string; readonly scripts: readonly Script[] }

/** What takes too long for every change: it breaks, loads or measures whole installations. */
const isForWeek = ({ text }: Script): boolean => /\b(?:lab|bench)\/src\//.test(text.replace(/^#.*$/gm, ''))

/** A sentence for everything that the workflows promise and do not keep. */
const faultsIn = ({ change, week, scripts }: Given): readonly string[] => {
  const both = `${change}\n${week}`
  const named = new Set([...both.matchAll(/\bscript\/([a-z-]+)/g)].map(([, name = '']) => name))
  const known = new Set(scripts.map(({ name }) => name))
  const rings = /ring: \[(.*)\]/.exec(change)?.[1]?.split(', ') ?? []
  return [
    ...[...named].filter((name) => !known.has(name)).map((name) => `script/${name} does not exist`),
    ...["''", '--servers', '--browser', '--processes']
      .filter((ring) => !rings.includes(ring))
      .map((ring) => `no change runs script/test ${ring}`),
    ...scripts
      .filter((script) => script.name !== 'test' && isForWeek(script))
      .filter(({ name }) => !new RegExp(`- script/${name}\\b`).test(week))
      .map(({ name }) => `no week runs script/${name}`),
    ...[...both.matchAll(/uses: (.*)/g)]
      .filter(([, action = '']) => !/^[\w/-]+@[0-9a-f]{40} # v\d/.test(action))
      .map(([, action]) => `${action} is not pinned by its commit`),
    ...[change, week]
      .filter(
        (text) =>
          !text.includes('\npermissions:\n  contents: read\n') || /\bpull_request_target\b/.test(text),
      )
      .map(() => 'a workflow may write'),
  ]
}

const present: Given = {
  change: read('.github/workflows/test.yml'),
  week: read('.github/workflows/weekly.yml'),
  scripts: globSync('script/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, text: read(`script/${name}`) })),
}

describe('the workflows', () => {
  test('run every ring for a change, every long script each week, and nothing that is not there', () => {
    assert.deepEqual(faultsIn(present), [])
    assert.ok(present.scripts.filter(isForWeek).length > 8)
  })

  const { change, week, scripts } = present
  const plants: readonly (readonly [fault: string, planted: Given])[] = [
    ['script/tset does not exist', { ...present, change: `${change}\n      - run: script/tset\n` }],
    ['no change runs script/test --browser', { ...present, change: change.replace(', --browser', '') }],
    ['no week runs script/chaos', { ...present, week: week.replace('- script/chaos', '- script/soak') }],
    [
      'no week runs script/quake',
      { ...present, scripts: [...scripts, { name: 'quake', text: 'exec node lab/src/quake.ts\n' }] },
    ],
    [
      'actions/checkout@v4 is not pinned by its commit',
      { ...present, week: week.replace(/checkout@.*/, 'checkout@v4') },
    ],
    ['a workflow may write', { ...present, week: week.replace('contents: read', 'contents: write') }],
  ]
  for (const [fault, planted] of plants)
    test(`are told apart from some in which ${fault}`, () => assert.deepEqual(faultsIn(planted), [fault]))
})
