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

/** Each file of the corpus has as many cases as COUNTS says. */
const assertCorpus = async (folder: string, name: string): Promise<void> => {
  await run('tar', ['-xzf', `${name}.tar.gz`], { cwd: folder })
  const lines = (await readFile(join(folder, name, 'COUNTS'), 'utf8')).trimEnd().split('\n')
  const counts = lines
    .map((line) => line.split('  '))
    .map(([count, file = '']) => [file, Number(count)] as const)
  const files = (await readdir(join(folder, name))).filter((file) => file !== 'COUNTS')
  assert.deepEqual(counts.map(([file]) => file).toSorted(), [...files, 'total'].toSorted())
  let total = 0
  for (const [file, count] of counts.slice(0, -1)) {
    const cases = JSON.parse(await readFile(join(folder, name, file), 'utf8')) as readonly unknown[]
    assert.equal(cases.length, count, file)
    total += count
  }
  assert.deepEqual(counts.at(-1), ['total', total])
  assert.ok(total > 3_900, `only ${total} cases`)
}

describe('a release', () => {
  test('has a source archive, the package, the SDK, a bill of materials, a licence list and the corpus, with checksums that match', async () => {
    await using folder = await makeTemporaryFolder()
    const version = await releasedVersion()
    const names = await makeRelease(folder.path)
    assert.deepEqual(names, [
      `millseal-${version}.tar.gz`,
      `millseal-${version}.tgz`,
      `millseal-sdk-${version}.tgz`,
      `millseal-${version}.cdx.json`,
      `millseal-${version}-licences.txt`,
      `millseal-${version}-corpus.tar.gz`,
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
      'console/built/guide/keys.html.br',
      'verifiers/python/millseal_verifier/verify.py',
    ])
      assert.ok(stdout.includes(`millseal-${version}/${path}\n`), path)
    const components = componentsOf(await readFile(join(folder.path, names[3] ?? ''), 'utf8'))
    assert.ok(components.some(({ name }) => name === 'fastify'))
    assert.ok(!components.some(({ name }) => name === 'typescript'), 'without development packages')
    const licences = await readFile(join(folder.path, names[4] ?? ''), 'utf8')
    assert.match(licences, /^react-dom .*: MIT$/m, 'with the packages in the built console')
    assert.doesNotMatch(licences, /^vite /m)
    await assertCorpus(folder.path, `millseal-${version}-corpus`)
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
