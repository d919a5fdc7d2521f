import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** Says that it is too old, and is the Node of this machine otherwise: npm needs one. */
const oldNode = `#!/bin/sh
case "\${1:-}" in -p) echo 20 ;; --version) echo v20.0.0 ;; *) exec '${process.execPath}' "$@" ;; esac
`

const readManifest = async () =>
  JSON.parse(await readFile(join(root, 'script/runtime/package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
    readonly optionalDependencies: Readonly<Record<string, string>>
  }

/** A registry whose every package has other content than the one that the lock file means. */
const startAlteringRegistry = async () => {
  const { dependencies, optionalDependencies } = await readManifest()
  const versions = { ...dependencies, ...optionalDependencies }
  const folder = await mkdtemp(join(tmpdir(), 'millseal-registry-'))
  await mkdir(join(folder, 'package/bin'), { recursive: true })
  await writeFile(join(folder, 'package/bin/node'), '#!/bin/sh\necho altered\n', { mode: 0o755 })
  await writeFile(join(folder, 'package/package.json'), '{ "name": "altered", "version": "1.0.0" }')
  await run('tar', ['-czf', 'altered.tgz', 'package'], { cwd: folder })
  const altered = await readFile(join(folder, 'altered.tgz'))
  const asked: string[] = []
  const server = createServer(({ url = '', headers: { host } }, answer) => {
    asked.push(url)
    if (url.endsWith('.tgz')) return answer.end(altered)
    const name = url.slice(1)
    const version = versions[name] ?? ''
    const dist = { tarball: `http://${host}/${name}/-/${name}-${version}.tgz` }
    return answer.end(JSON.stringify({ name, versions: { [version]: { name, version, dist } } }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await rm(folder, { recursive: true })
    },
  }
}

/** Installs on a machine whose Node is too old, in a checkout with this lock file, and resolves with what was said. */
const bootstrap = async (registry: string, lockFile: string): Promise<{ said: string; node: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'millseal-runtime-'))
  try {
    await cp(join(root, 'script'), join(folder, 'script'), { recursive: true })
    await writeFile(join(folder, 'script/runtime/package-lock.json'), lockFile)
    await mkdir(join(folder, 'machine'))
    await writeFile(join(folder, 'machine/node'), oldNode)
    await chmod(join(folder, 'machine/node'), 0o755)
    const { stderr } = await run('script/bootstrap', {
      cwd: folder,
      env: {
        PATH: `${folder}/machine:${process.env['PATH'] ?? ''}`,
        HOME: folder,
        npm_config_registry: registry,
        npm_config_fetch_retries: '0',
        npm_config_cache: join(folder, 'cache'),
      },
    }).catch((error: unknown) => error as { readonly stderr: string })
    const installed = run(join(folder, '.runtime/bin/node')).then(
      ({ stdout }) => stdout.trim(),
      () => 'none',
    )
    return { said: stderr, node: await installed }
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('the Node that a checkout installs', () => {
  test('is refused where its content is not what the lock file means', async () => {
    await using registry = await startAlteringRegistry()
    const lockFile = await readFile(join(root, 'script/runtime/package-lock.json'), 'utf8')
    const { said, node } = await bootstrap(registry.url, lockFile)
    assert.match(said, /EINTEGRITY/)
    assert.equal(node, 'none')
    assert.ok(
      registry.asked.some((path) => path.endsWith('.tgz')),
      'the altered package was served',
    )
  })

  test('would be an altered one without the hashes of the lock file', async () => {
    await using registry = await startAlteringRegistry()
    const lockFile = await readFile(join(root, 'script/runtime/package-lock.json'), 'utf8')
    const { node } = await bootstrap(registry.url, lockFile.replaceAll(/^ *"integrity": .*\n/gm, ''))
    assert.equal(node, 'altered')
  })

  test('is named by exact versions, as npm is', async () => {
    const { dependencies, optionalDependencies } = await readManifest()
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies }))
      assert.match(version, /^\d+\.\d+\.\d+$/, name)
  })
})
