import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { makeTemporaryFolder } from '../../../server/test/temporary-folder.ts'
import { changedThisWeek, parseStalled, runStalled } from './stalled.ts'
import { runTestFiles } from '../../../tooling/src/test-run.ts'

const untilContinued = `import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
const wasStopped = async () => { await once(process, 'SIGCONT'); return true }
`

const runPlanted = async (
  sources: Readonly<Record<string, string>>,
  settings: { readonly times: number; readonly signal?: AbortSignal },
) => {
  await using folder = await makeTemporaryFolder()
  for (const [name, source] of Object.entries(sources))
    writeFileSync(join(folder.path, name), `${untilContinued}${source}`)
  let output = ''
  const print = (text: string): void => void (output += text)
  const summary = await runStalled({
    signal: new AbortController().signal,
    ...settings,
    files: Object.keys(sources),
    seed: 7,
    durations: Object.fromEntries(Object.keys(sources).map((name) => [name, 200])),
    stopMs: 50,
    // A file that waits for a stop gets one, however long it takes to load.
    maxStops: Number.POSITIVE_INFINITY,
    print,
    run: (run) => runTestFiles({ ...run, root: folder.path, processes: 1, print }),
  })
  return { summary, output }
}

describe('a run whose processes are stopped', () => {
  test('names what fails only if it is stopped, and not what fails anyway or never', async () => {
    const { summary, output } = await runPlanted(
      {
        'hasty.test.mjs': `test('is quick', async () => {
          if (!existsSync('seen') && await wasStopped()) { writeFileSync('seen', ''); throw new Error('late') } })`,
        'patient.test.mjs': `test('waits', wasStopped)`,
        'broken.test.mjs': `test('adds up', async () => { throw new Error('1 is not 2') })`,
      },
      { times: 1 },
    )
    assert.deepEqual(summary.unstable, [{ file: 'hasty.test.mjs', tests: ['hasty.test.mjs › is quick'] }])
    assert.deepEqual(summary.broken, [{ file: 'broken.test.mjs', tests: ['broken.test.mjs › adds up'] }])
    assert.match(output, /--seed 7\n/)
    assert.match(output, /✗ hasty\.test\.mjs: 1 runs, 1 of them stopped, 1 failed/)
    assert.match(output, /✓ patient\.test\.mjs: 1 runs, 1 of them stopped, 0 failed/)
    assert.match(output, /✗ broken\.test\.mjs: 1 runs, . of them stopped, 1 failed/)
  })

  test('runs each file as often as it is asked to, and stops it each time', async () => {
    const { output } = await runPlanted({ 'patient.test.mjs': `test('waits', wasStopped)` }, { times: 3 })
    assert.match(output, /✓ patient\.test\.mjs: 3 runs, 3 of them stopped, 0 failed/)
  })

  test('starts no file after its time, and says how many it left out', async () => {
    const { summary, output } = await runPlanted(
      { 'a.test.mjs': `test('fails', () => { throw new Error('ran') })` },
      { times: 1, signal: AbortSignal.abort() },
    )
    assert.equal(summary.failed, 0)
    assert.match(output, /Left out, because the time was over: 1 files/)
  })

  test('takes the test files of the last week if none is named', async () => {
    await using folder = await makeTemporaryFolder()
    const commit = (name: string, date: string): void => {
      writeFileSync(join(folder.path, name), '')
      const git = ['-c', 'user.name=A', '-c', 'user.email=a@example.org']
      const environment = { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date }
      for (const args of [
        ['add', '.'],
        ['commit', '-qm', name],
      ])
        execFileSync('git', [...git, ...args], { cwd: folder.path, env: environment })
    }
    execFileSync('git', ['init', '-q', folder.path])
    const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()
    commit('old.test.ts', daysAgo(30))
    commit('new.test.ts', daysAgo(2))
    commit('new.ts', daysAgo(1))
    assert.deepEqual(changedThisWeek(folder.path), ['new.test.ts'])
  })

  test('reads its options in any order', () => {
    const { patterns, times, seed } = parseStalled(['a.test.ts', '--times', '20', 'b.test.ts', '--seed', '9'])
    assert.deepEqual([patterns, times, seed], [['a.test.ts', 'b.test.ts'], 20, 9])
    assert.equal(parseStalled([]).times, 5)
  })
})
