import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { makeTemporaryFolder } from '../../server/test/temporary-folder.ts'
import { releasedVersion } from './pack-sdk.ts'
import { componentsOf, makeRelease, refusedComponents } from './release.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

describe('a release', () => {
  test('has a source archive, the SDK, a bill of materials and a licence list, with checksums that match', async () => {
    await using folder = await makeTemporaryFolder()
    const version = await releasedVersion()
    const names = await makeRelease(folder.path)
    assert.deepEqual(names, [
      `millseal-${version}.tar.gz`,
      `millseal-sdk-${version}.tgz`,
      `millseal-${version}.cdx.json`,
      `millseal-${version}-licences.txt`,
      'SHA256SUMS',
    ])
    assert.deepEqual((await readdir(folder.path)).toSorted(), names.toSorted())
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder.path })
    const { stdout } = await run('tar', ['-tzf', join(folder.path, names[0] ?? '')])
    for (const path of [
      'script/server',
      'verifiers/go/main.go',
      'console/built/stamp',
      'console/built/app/index.html.br',
      'verifiers/python/millseal_verifier/verify.py',
    ])
      assert.ok(stdout.includes(`millseal-${version}/${path}\n`), path)
    const components = componentsOf(await readFile(join(folder.path, names[2] ?? ''), 'utf8'))
    assert.ok(components.some(({ name }) => name === 'fastify'))
    assert.ok(!components.some(({ name }) => name === 'typescript'), 'without development packages')
    const licences = await readFile(join(folder.path, names[3] ?? ''), 'utf8')
    assert.match(licences, /^react-dom .*: MIT$/m, 'with the packages in the built console')
    assert.doesNotMatch(licences, /^vite /m)
  })

  test('is refused if a package has a licence that is not allowed, or none', () => {
    const licensed = (name: string, ...licences: string[]) => ({ name, version: '1.0.0', licences })
    const refused = refusedComponents([
      licensed('fine', 'MIT'),
      licensed('choice', '(MIT OR GPL-3.0-only)'),
      licensed('copyleft', 'GPL-3.0-only'),
      licensed('both', 'MIT AND GPL-3.0-only'),
      licensed('silent'),
    ])
    assert.deepEqual(
      refused.map(({ name }) => name),
      ['copyleft', 'both', 'silent'],
    )
  })
})

describe('the version', () => {
  test('is named in the root manifest and in no other', async () => {
    const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      readonly workspaces: readonly string[]
    }
    for (const workspace of workspaces) {
      const manifest = JSON.parse(await readFile(join(root, workspace, 'package.json'), 'utf8')) as object
      assert.ok(!('version' in manifest), `${workspace}/package.json`)
    }
  })
})
