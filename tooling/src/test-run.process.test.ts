import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { eventually } from '../../server/test/eventually.ts'
import { runTestFiles, type Summary, type TestRun } from './test-run.ts'

type Ran = { readonly summary: Summary; readonly output: string; readonly folder: string }

const runPlanted = async (
  t: { after: (done: () => void) => void },
  files: Readonly<Record<string, string>>,
  settings: Partial<TestRun> = {},
): Promise<Ran> => {
  const folder = mkdtempSync(join(tmpdir(), 'millseal-run-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'src'))
  for (const [name, source] of Object.entries(files)) writeFileSync(join(folder, name), source)
  let output = ''
  const summary = await runTestFiles({
    root: folder,
    files: Object.keys(files),
    processes: 1,
    print: (text) => (output += text),
    ...settings,
  })
  return { summary, output, folder }
}

const start = `import { after, before, describe, test } from 'node:test'\n`
const note = `import { appendFileSync } from 'node:fs'\nconst note = (text) => appendFileSync('notes', text + '\\n')\n`
const notesIn = (folder: string): string[] => readFileSync(join(folder, 'notes'), 'utf8').trim().split('\n')

describe('a run of test files', () => {
  test('counts tests, and neither files nor suites', async (t) => {
    const { summary, output } = await runPlanted(t, {
      'one.test.mjs': `${start} describe('a suite', () => { test('one', () => {}); test('two', () => {}) })`,
      'two.test.mjs': `${start} test('three', () => {}); test('four', { skip: 'no disk' }, () => {})`,
    })
    assert.deepEqual([summary.passed, summary.failed], [3, 0])
    assert.deepEqual(summary.skipped, ['four: no disk'])
    assert.match(output, /skipped: four: no disk/)
  })

  test('runs the hooks of a file before the next file starts, in one process', async (t) => {
    const file = (name: string) =>
      `${start}${note} before(() => note('${name} begins ' + process.pid)); after(() => note('${name} ends ' + process.pid))
       test('waits', () => new Promise((done) => setTimeout(done, 20)))`
    const { folder } = await runPlanted(t, { 'one.test.mjs': file('one'), 'two.test.mjs': file('two') })
    const notes = notesIn(folder).map((line) => line.split(' '))
    assert.deepEqual(
      notes.map(([name, what]) => `${name} ${what}`),
      ['one begins', 'one ends', 'two begins', 'two ends'],
    )
    assert.equal(new Set(notes.map(([, , pid]) => pid)).size, 1)
  })

  test('gives a file that says so a process of its own', async (t) => {
    const file = `${start}${note} test('notes', () => note(process.pid))`
    const { folder } = await runPlanted(t, {
      'one.test.mjs': file,
      'two.test.mjs': `// Runs alone: it changes the environment\n${file}`,
      'three.test.mjs': file,
      'four.test.mjs': file,
    })
    const [one, two, three, four] = notesIn(folder)
    assert.equal(new Set([one, two, three]).size, 3)
    assert.equal(three, four)
  })

  test('starts no more browsers at a time than it may, and runs every file', async (t) => {
    const file = (name: string) =>
      `${start}${note} test('notes', async () => {
         note('${name} begins'); await new Promise((done) => setTimeout(done, 50)); note('${name} ends') })`
    const browser = file('browser')
    const { summary, folder } = await runPlanted(
      t,
      {
        'a.browser.test.mjs': browser,
        'b.browser.test.mjs': browser,
        'c.browser.test.mjs': browser,
        'd.test.mjs': file('other'),
      },
      { processes: 3, browsers: 1 },
    )
    assert.equal(summary.passed, 4)
    const ofBrowsers = notesIn(folder).filter((line) => line.startsWith('browser'))
    const [begins, ends] = ['browser begins', 'browser ends']
    assert.deepEqual(ofBrowsers, [begins, ends, begins, ends, begins, ends])
  })

  for (const [what, source, expected] of [
    [
      'a test that fails',
      `test('adds up', () => { throw new Error('1 is not 2') })`,
      /adds up[^]*1 is not 2/,
    ],
    [
      'a test of a suite, with the file and the suite it ran in',
      `describe('first', () => test('fine', () => {}))
       describe('second', () => test('fails', () => { throw new Error('no') }))`,
      /✗ bad\.test\.mjs › second › fails \(/,
    ],
    [
      'a hook that fails',
      `after(() => { throw new Error('not closed') }); test('fine', () => {})`,
      /not closed/,
    ],
    [
      'a hook of a suite that fails',
      `describe('suite', () => { after(() => { throw new Error('open') }); test('fine', () => {}) })`,
      /suite[^]*open/,
    ],
    [
      'an error and what caused it',
      `test('fails', () => { throw new Error('outer', { cause: new Error('inner') }) })`,
      /Error: outer[^]*because of Error: inner/,
    ],
    ['a file that does not load', `await import('./nothing.mjs')`, /bad\.test\.mjs[^]*nothing\.mjs/],
    [
      'a process that ends',
      `test('leaves', () => process.exit(0))`,
      /bad\.test\.mjs ended its process early/,
    ],
    [
      'an error after the test',
      `test('fine', () => { setTimeout(() => { throw new Error('too late') }, 5) })
       test('second', () => new Promise((done) => setTimeout(done, 100)))`,
      /too late/,
    ],
  ] as const) {
    test(`reports ${what}, and goes on with the next file`, async (t) => {
      const { summary, output } = await runPlanted(t, {
        'bad.test.mjs': `${start}${source}`,
        'good.test.mjs': `${start} test('good', () => {})`,
      })
      assert.equal(summary.failed, 1, output)
      assert.ok(summary.passed >= 1)
      assert.match(output, expected)
    })
  }

  test('repeats a file that failed once, alone: what passes then counts, and is named as unstable', async (t) => {
    const failsFirst = (how: string): string => `${start} import { existsSync, writeFileSync } from 'node:fs'
      const was = (name) => existsSync(name) || (writeFileSync(name, ''), false)
      ${how}`
    const { summary, output } = await runPlanted(t, {
      'flaky.test.mjs': failsFirst(
        `test('fine', () => {}); test('waits', () => { if (!was('waits')) throw new Error('late') })`,
      ),
      'leaves.test.mjs': failsFirst(`test('leaves', () => { if (!was('leaves')) process.exit(1) })`),
      'good.test.mjs': `${start} test('good', () => {})`,
    })
    assert.deepEqual([summary.passed, summary.failed], [4, 0], output)
    assert.deepEqual(summary.unstable, [
      { file: 'flaky.test.mjs', tests: ['flaky.test.mjs › waits'] },
      { file: 'leaves.test.mjs', tests: ['leaves.test.mjs ended its process early (exit code 1)'] },
    ])
  })

  test('fails if a repeated file fails again, and repeats nothing if many files failed', async (t) => {
    const broken = `${start}${note} test('broken', () => { note('tried'); throw new Error('no') })`
    const again = await runPlanted(t, { 'broken.test.mjs': broken })
    assert.deepEqual([again.summary.failed, again.summary.unstable], [1, []])
    assert.equal(notesIn(again.folder).length, 2)
    const many = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.test.mjs`, broken]))
    const once = await runPlanted(t, many, { maxRepeated: 2 })
    assert.equal(once.summary.failed, 3)
    assert.equal(notesIn(once.folder).length, 3)
  })

  test('kills a file that never ends, with the processes it started, and names it', async (t) => {
    const hanging = `${start}${note} import { spawn } from 'node:child_process'
      test('hangs', async () => {
        const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
        note(child.pid)
        await new Promise(() => setInterval(() => {}, 1000))
      })`
    const { summary, output, folder } = await runPlanted(
      t,
      { 'hangs.test.mjs': hanging, 'good.test.mjs': `${start} test('good', () => {})` },
      { endMs: 10_000 },
    )
    assert.deepEqual([summary.passed, summary.failed], [1, 1])
    assert.match(output, /hangs\.test\.mjs did not end within 10 seconds: killed/)
    const [pid] = notesIn(folder)
    await eventually(() => !isAlive(Number(pid)))
  })

  test('reports a file that keeps its process alive', async (t) => {
    const { summary, output } = await runPlanted(
      t,
      { 'open.test.mjs': `${start} test('opens', () => void setInterval(() => {}, 1000))` },
      { endMs: 10_000 },
    )
    assert.deepEqual([summary.passed, summary.failed], [1, 1])
    assert.match(output, /left something open/)
  })
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
