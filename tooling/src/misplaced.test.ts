import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { plant } from './plant.ts'
import { findMisplaced, namedSources } from './misplaced.ts'

const root = join(import.meta.dirname, '../..')
const none = { first: 0, server: 0, process: 0, browser: 0 }

/** What the planted tests start something with. */
const helpers: Readonly<Record<string, string>> = {
  'package.json': '{ "workspaces": ["server"] }',
  'server/package.json': '{ "name": "@millseal/server" }',
  'server/test/chromium.ts': `import { chromium } from 'playwright-core'
    export const findChromium = () => '/usr/bin/chromium'
    export const launchChromium = () => chromium.launch()`,
  'server/test/console.ts': `import { launchChromium } from './chromium.ts'
    const start = async () => ({ browser: await launchChromium() })
    export const consoleOfFile = () => start()`,
  'server/test/index.ts': `export { consoleOfFile as openConsole } from './console.ts'`,
  'server/test/worker.ts': `import { spawn, type ChildProcess } from 'node:child_process'
    export type Worker = ChildProcess
    export const signal = 'SIGKILL'
    export const startWorker = (): ChildProcess => spawn('worker')`,
  'server/test/shared-postgres.ts': `import { launchEmbedded } from '../src/adapters/database/embedded/launcher.ts'
    export const startSharedPostgres = () => launchEmbedded()`,
  'server/src/adapters/database/embedded/launcher.ts': `import { spawn } from 'node:child_process'
    export const launchEmbedded = () => spawn('postgres')`,
  'server/src/compose.ts': `import { launchEmbedded } from './adapters/database/embedded/launcher.ts'
    export const compose = () => launchEmbedded()`,
  'server/src/serve.ts': `import { compose } from './compose.ts'
    export const serve = () => compose()`,
  'server/test/test-server.ts': `import { compose } from '../src/compose.ts'
    export const startTestServer = () => shareServer()
    const shareServer = () => startOwnServer()
    export const startOwnServer = () => compose()`,
  'server/src/mill.suite.ts': `import { startOwnServer } from '../test/test-server.ts'
    export const openMill = () => startOwnServer()`,
}

const misplacedWith = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  using checkout = plant({ ...helpers, ...files })
  return await findMisplaced(checkout.root, none)
}

const refused: readonly (readonly [path: string, source: string, sentence: RegExp])[] = [
  [
    'server/src/a.test.ts',
    `import { consoleOfFile } from '../test/console.ts'\nconst console = consoleOfFile()`,
    /^server\/src\/a\.test\.ts starts a browser \(.*console\.ts start → .*playwright-core chromium\): name it a\.browser\.test\.ts, or do without$/,
  ],
  [
    'server/src/b.test.ts',
    `import { openConsole } from '../test/index.ts'\nopenConsole()`,
    /starts a browser .*: name it b\.browser\.test\.ts/,
  ],
  [
    'server/src/c.test.ts',
    `const open = async () => (await import('../test/chromium.ts')).launchChromium()\nopen()`,
    /starts a browser/,
  ],
  [
    'server/src/d.test.ts',
    `import { startWorker } from '../test/worker.ts'\ntest('d', () => startWorker())`,
    /^server\/src\/d\.test\.ts starts a process \(.*worker\.ts startWorker → node:child_process spawn\): name it d\.process\.test\.ts, or do without$/,
  ],
  [
    'server/src/e.test.ts',
    `import * as child from 'node:child_process'\nchild.spawn('e')`,
    /starts a process/,
  ],
  [
    'server/src/f.test.ts',
    `import { launchEmbedded } from './adapters/database/embedded/launcher.ts'\nlaunchEmbedded()`,
    /starts a process .*launchEmbedded/,
  ],
  [
    'server/src/g.browser.test.ts',
    `import { findChromium } from '../test/chromium.ts'\nfindChromium()`,
    /^server\/src\/g\.browser\.test\.ts starts no browser: name it g\.test\.ts$/,
  ],
  [
    'server/src/h.browser.test.ts',
    `import { startWorker } from '../test/worker.ts'\nstartWorker()`,
    /starts a process .*: name it h\.process\.test\.ts$/,
  ],
  [
    'server/src/i.process.test.ts',
    `import { signal, type Worker } from '../test/worker.ts'\nconst worker: Worker = signal`,
    /^server\/src\/i\.process\.test\.ts starts no process: name it i\.test\.ts$/,
  ],
  [
    'server/src/j.process.test.ts',
    `import { startWorker } from '../test/worker.ts'\nimport { launchChromium } from '../test/chromium.ts'\nstartWorker(launchChromium())`,
    /starts a browser .*: name it j\.browser\.test\.ts$/,
  ],
  [
    'server/src/k.test.ts',
    `import { startOwnServer } from '../test/test-server.ts'\nstartOwnServer()`,
    /^server\/src\/k\.test\.ts starts a server of its own \(.*test-server\.ts startOwnServer → .*compose\): name it k\.server\.test\.ts, or share one with startTestServer\(\)$/,
  ],
  [
    'server/src/l.store.test.ts',
    `import { openMill } from './mill.suite.ts'\nopenMill()`,
    /starts a server of its own \(.*mill\.suite\.ts openMill → .*\): name it l\.store\.server\.test\.ts, or share/,
  ],
  [
    'server/src/m.test.ts',
    `import { compose } from './compose.ts'\ncompose()`,
    /starts a server of its own .*: name it m\.server\.test\.ts/,
  ],
  [
    'server/src/n.server.test.ts',
    `import { startTestServer } from '../test/test-server.ts'\nstartTestServer()`,
    /^server\/src\/n\.server\.test\.ts starts no server of its own: name it n\.test\.ts$/,
  ],
  [
    'server/src/o.server.test.ts',
    `import { startWorker } from '../test/worker.ts'\nimport { openMill } from './mill.suite.ts'\nopenMill(startWorker())`,
    /starts a process .*: name it o\.process\.test\.ts$/,
  ],
  [
    'server/src/p.process.test.ts',
    `import { openMill } from './mill.suite.ts'\nopenMill()`,
    /starts a server of its own .*: name it p\.server\.test\.ts$/,
  ],
]

describe('the rings of the suite', () => {
  test('are what the names of test files say, and the check read every file', async () => {
    assert.deepEqual(await findMisplaced(root, { first: 280, server: 110, process: 100, browser: 25 }), [])
  })

  test('are decided by sources that exist', () => {
    assert.deepEqual(
      namedSources.filter((path) => !existsSync(join(root, path))),
      [],
    )
  })

  for (const [path, source, sentence] of refused) {
    test(`refuse ${path} with ${source.split('\n')[0]}`, async () => {
      const found = await misplacedWith({ [path]: source })
      assert.equal(found.length, 1, found.join('\n'))
      assert.match(found[0] ?? '', sentence)
    })
  }

  test('accept the PostgreSQL and the server that all share, and what the product starts', async () => {
    const found = await misplacedWith({
      'server/src/a.test.ts': `import { startSharedPostgres } from '../test/shared-postgres.ts'\nstartSharedPostgres()`,
      'server/src/b.test.ts': `import { serve } from './serve.ts'\nserve()`,
      'server/src/c.browser.test.ts': `import { launchChromium } from '../test/chromium.ts'\nlaunchChromium()`,
      'server/src/d.process.test.ts': `import { startWorker } from '../test/worker.ts'\nstartWorker()`,
      'server/src/e.test.ts': `import { startTestServer } from '../test/test-server.ts'\nstartTestServer()`,
      'server/src/f.server.test.ts': `import { openMill } from './mill.suite.ts'\nopenMill()`,
    })
    assert.deepEqual(found, [])
  })

  test('are refused if no file is read', async () => {
    using checkout = plant({ 'package.json': '{ "workspaces": [] }' })
    const found = await findMisplaced(checkout.root, { first: 1, server: 1, process: 1, browser: 1 })
    assert.equal(found.length, 4)
  })
})
