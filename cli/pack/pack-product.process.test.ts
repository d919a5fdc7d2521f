import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { millseal, running, settingsIn, temporaryFolder } from '../test/millseal.ts'
import { packProduct, withNewNames } from './pack-product.ts'

const run = promisify(execFile)

/** In an empty folder, as somebody without a checkout does. */
const install = async (folder: string): Promise<string> => {
  const packed = await packProduct(join(folder, 'packages'))
  assert.ok((await stat(packed)).size < 8_000_000, 'it stays a few megabytes')
  const project = join(folder, 'mill')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', packed], {
    cwd: project,
    maxBuffer: 2 ** 24,
  })
  return project
}

describe('the package of the product', () => {
  test('is installed in an empty folder, serves, runs the demo and verifies offline', async () => {
    await using folders = new AsyncDisposableStack()
    const folder = folders.use(await temporaryFolder()).path
    const project = await install(folder)
    const program = join(project, 'node_modules/millseal/cli/start.cjs')
    const sources = (await readdir(join(project, 'node_modules/millseal'), { recursive: true })).filter(
      (name) => /\.ts$|\.test\.js$/.test(name),
    )
    assert.deepEqual(sources, [])
    const environment = settingsIn(join(folder, 'data'))
    await using server = running(['serve'], { environment, program, cwd: project })
    const [, url = ''] = await server.until(/API\s+(\S+)\/api\n[\s\S]*to stop/)
    assert.doesNotMatch(server.text.out, /"level":(?:40|50)/)
    for (const page of ['/', '/verify', '/console', '/docs/guide', '/docs/api', '/openapi.json']) {
      const answer = await fetch(`${url}${page}`)
      assert.equal(answer.status, 200, page)
      await answer.arrayBuffer()
    }
    const client = { ...environment, MILLSEAL_SERVER: url }
    const demo = await millseal(['demo'], { environment: client, program, cwd: project })
    assert.equal(demo.status, 0, demo.stderr)
    const [, offline = ''] =
      /^ {2}npx millseal (verify millseal-demo\/certificate\.pdf .*)$/m.exec(demo.stdout) ?? []
    const verified = await millseal(offline.split(' '), { program, cwd: project, offline: true })
    assert.match(
      verified.stdout,
      /^millseal-demo\/certificate\.pdf \(by your policy .*\): TEST – NO REAL MATERIAL$/m,
    )
    assert.match(verified.stdout, /✓ File {9}The PDF is unchanged/)
    const help = await millseal(['serve', '--help'], { program, cwd: project })
    assert.match(help.stdout, /^Usage: npx millseal serve \[--help\]/)
    const closed = await millseal(['token'], {
      environment: {
        MILLSEAL_SERVER: 'http://localhost:9',
        MILLSEAL_CLIENT_ID: 'x',
        MILLSEAL_CLIENT_SECRET: 'y',
      },
      program,
      cwd: project,
    })
    assert.match(closed.stderr, /Start it \(npx millseal serve\)/)
  })

  test('says in one sentence that a Node is too old', async () => {
    const preload = `Object.defineProperty(process, 'version', { value: 'v20.20.2' }); Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })`
    const program = join(import.meta.dirname, 'start.cjs')
    const { status, stderr } = await millseal(['serve'], { program, preload })
    assert.equal(stderr, 'millseal: Millseal needs Node 24 or newer; this is v20.20.2\n')
    assert.equal(status, 2)
    assert.doesNotMatch(await readFile(program, 'utf8'), /=>|\?\.|\?\?|`|^import /m, 'old ones can read it')
  })

  test('is not made of a source that names what is not in it', () => {
    const entries = new Map([['@millseal/proof', 'proof/src/index.ts']])
    const renamed = (code: string) => withNewNames(code, 'cli/src/main.ts', entries)
    assert.equal(
      renamed(
        `import { a } from '@millseal/proof'; import './x.ts'; new URL('threads/main.ts', import.meta.url)`,
      ),
      `import { a } from '../../proof/src/index.js'; import './x.js'; new URL('threads/main.js', import.meta.url)`,
    )
    assert.throws(() => renamed(`import '@millseal/lab'`), /cli\/src\/main\.ts names @millseal\/lab/)
  })
})
