import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { plant } from '../../../tooling/src/plant.ts'
import { harmlessFile, inspectTimes, placesIn } from './time-in-tests.ts'

const root = join(import.meta.dirname, '../../..')

/** Planted lines, in which time may decide, by the kind that must be found. */
const planted: Readonly<Record<string, readonly string[]>> = {
  sleep: [
    `import { setTimeout as later } from 'node:timers/promises'\nawait later(200)`,
    `import { scheduler } from 'node:timers/promises'\nawait scheduler.wait(200)`,
    'await pause(200)',
    'await page.waitForTimeout(300)',
    'await query(`select pg_sleep(${seconds})`)',
  ],
  timer: [
    'await new Promise((resolve) => setTimeout(resolve, 100))',
    'const timer = setInterval(look, 5)',
    `await page.evaluate('new Promise((done) => setTimeout(done, 100))')`,
  ],
  deadline: ['await check(AbortSignal.timeout(2_000))', 'await check(AbortSignal.timeout(soonMs))'],
  elapsed: [
    'assert.ok(performance.now() - started < 500)',
    'const tookMs = performance.now() - started',
    'assert.ok(process.uptime() < 3)',
    `await page.evaluate('performance.now() - started < 100')`,
  ],
  'wall clock': [
    'assert.ok(Date.now() - started < 500)',
    'assert.ok(Math.abs(sentAt - server.clock.now()) < 5_000)',
    'assert.ok(until > new Date())',
    'const soon = new Date(Date.now() + 1_000)',
    'const before = Date.now()\nassert.ok(sentAt < before)',
  ],
  race: ['const first = await Promise.race([answer, silence])'],
  'short time': [
    'const courier = createCourier({ timeoutMs: 300 })',
    'const backoffSeconds = 2',
    'const send = (retryMs = 20) => retryMs',
    `test('waits', { timeout: 120_000 }, run)`,
    `const server = await start({ MILLSEAL_DRAIN_MS: '4000' })`,
  ],
  schedule: [
    `runner.schedule(kind, '* * * * *')`,
    `runner.schedule(kind, '30 2 * * *')`,
    'runner.schedule(kind, `${seconds} ${minutes} ${hours} * * *`)',
  ],
  calendar: ['const hour = new Date().getUTCHours()', 'const day = utcDay(now)'],
  geometry: [
    'const box = await link.boundingBox()',
    `await page.evaluate('scrollTo(0, 300)')`,
    `await page.evaluate('document.body.getBoundingClientRect().top')`,
  ],
}

const allowed = [
  'await eventually(() => received.length > 0, { everyMs: 50 })',
  'await check(generousDeadline())',
  'await check(AbortSignal.timeout(600_000))',
  'const server = createServer({ timeoutMs: generousMs, idleMs: 60_000 })',
  `import { setImmediate as nextTurn } from 'node:timers/promises'\nawait nextTurn()`,
  'const run = { at: Date.now(), day: new Date() }',
  `// await pause(200)\ntest('takes 200 ms to wait for', async () => {})`,
]

const kindsOf = (source: string): readonly string[] =>
  placesIn('server/src/a.test.ts', source).map(({ kind }) => kind)

type Entry = { file: string; kind: string; line: string; reason: string; times?: number }

const inspectPlanted = async (source: string, entries: readonly Entry[]) => {
  using checkout = plant({ [harmlessFile]: JSON.stringify(entries), 'server/src/a.test.ts': source })
  return await inspectTimes(checkout.root)
}

describe('the places in tests where time may decide', () => {
  test('all have a reason why it does not, and the check read every test', async () => {
    const { sentences, files } = await inspectTimes(root)
    assert.deepEqual(sentences, [])
    assert.ok(files >= 600, `only ${files} files were read`)
  })

  for (const [kind, sources] of Object.entries(planted))
    for (const source of sources)
      test(`are found: ${kind}: ${source.split('\n').at(-1)}`, () => {
        assert.deepEqual(kindsOf(source), [kind])
      })

  test('are not found where only a fault takes long, or nothing is compared', () => {
    for (const source of allowed) assert.deepEqual(kindsOf(source), [], source)
  })

  const line = 'await pause(200)'
  const entry = { file: 'server/src/a.test.ts', kind: 'sleep', line, reason: 'Nothing waits for it.' }

  test('are accepted as often as the list names them, and no further', async () => {
    assert.deepEqual((await inspectPlanted(`  ${line}\n`, [entry])).sentences, [])
    const twice = `${line}\n${line}\n`
    assert.match((await inspectPlanted(twice, [entry])).sentences.join(), /^may decide a test \(1 times\)/)
    assert.deepEqual((await inspectPlanted(twice, [{ ...entry, times: 2 }])).sentences, [])
  })

  test('have no line in the list once they are gone, and none without a reason', async () => {
    const [gone, ...others] = (await inspectPlanted('', [entry])).sentences
    assert.match(gone ?? '', /^is no longer in its test: .*pause\(200\)/)
    assert.deepEqual(others, [])
    const { sentences } = await inspectPlanted(line, [{ ...entry, reason: '' }])
    assert.match(sentences.join(), /^has no reason/)
  })
})
