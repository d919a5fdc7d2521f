import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { listFiles } from './sources.ts'

type Locked = {
  readonly integrity?: string
  readonly link?: boolean
  /** Comes inside the package above it. */
  readonly inBundle?: boolean
  readonly name?: string
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
}
type Lock = { readonly packages: Readonly<Record<string, Locked>> }

const platforms = /(?:darwin|linux)-(?:x64|arm64)(?:-gnu)?$/

/** Binaries of supported platforms that a package wants and the lock file lacks: npm would leave them out. */
const missingBinaries = ({ packages }: Lock): string[] => {
  const locked = Object.keys(packages)
  return Object.values(packages)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter((name) => platforms.test(name) && !locked.some((path) => path.endsWith(`node_modules/${name}`)))
}

/** Packages that npm would install without comparing their content with a hash. */
const unverified = ({ packages }: Lock): string[] =>
  Object.entries(packages)
    .filter(
      ([path, { link, inBundle, integrity }]) =>
        path.includes('node_modules/') && !link && !inBundle && integrity === undefined,
    )
    .map(([path]) => path)

const root = join(import.meta.dirname, '../..')
const readLock = async (path: string): Promise<Lock> =>
  JSON.parse(await readFile(join(root, path), 'utf8')) as Lock

type Manifest = Readonly<Record<string, Readonly<Record<string, string>> | undefined>>

/** Dependencies of which another version than the tested one could be installed. `*` is a workspace of ours. */
const inexact = (manifest: Manifest): string[] =>
  ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((part) =>
    Object.entries(manifest[part] ?? {})
      .filter(([name, version]) => !(name.startsWith('@millseal/') && version === '*'))
      .filter(([, version]) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+[\w.+-]*$/.test(version))
      .map(([name, version]) => `${name} ${version}`),
  )

test('every manifest names exact versions, and no install script runs', async () => {
  const manifests = await listFiles(root, ['package.json', '*/package.json'])
  assert.ok(manifests.length > 10, manifests.join())
  for (const path of manifests)
    assert.deepEqual(inexact(JSON.parse(await readFile(join(root, path), 'utf8')) as Manifest), [], path)
  assert.match(await readFile(join(root, '.npmrc'), 'utf8'), /^ignore-scripts=true$/m)
  const planted = { dependencies: { a: '^1.0.0', b: '1.0.0', c: 'latest', d: '*', '@millseal/proof': '*' } }
  assert.deepEqual(inexact(planted), ['a ^1.0.0', 'c latest', 'd *'])
})

describe('the lock file', () => {
  test('has the binaries of every supported platform and names no registry', async () => {
    const lock = await readLock('package-lock.json')
    assert.deepEqual(missingBinaries(lock), [])
    assert.doesNotMatch(JSON.stringify(lock), /"resolved":"http/)
  })

  test('of the runtime has Node for every supported platform and names no registry', async () => {
    const lock = await readLock('script/runtime/package-lock.json')
    const locked = Object.keys(lock.packages).filter((path) => /\/node-[^/]+$/.test(path))
    assert.equal(locked.filter((path) => platforms.test(path)).length, 4, locked.join())
    assert.doesNotMatch(JSON.stringify(lock), /"resolved":"http/)
  })

  test('has an integrity hash for every package', async () => {
    assert.deepEqual(unverified(await readLock('package-lock.json')), [])
    assert.deepEqual(unverified(await readLock('bench/package-lock.json')), [])
    assert.deepEqual(unverified(await readLock('script/runtime/package-lock.json')), [])
  })

  test('has an empty package in place of each dependency of the API viewer, which has them inside', async () => {
    const { packages } = await readLock('package-lock.json')
    const { dependencies = {} } = packages['node_modules/@scalar/api-reference'] ?? {}
    const wanted = Object.keys(dependencies)
    assert.ok(wanted.includes('vue') && wanted.includes('@scalar/agent-chat'))
    for (const name of wanted) {
      const own = packages[`node_modules/@scalar/api-reference/node_modules/${name}`]
      const installed = own ?? packages[`node_modules/${name}`]
      assert.equal(installed?.name, 'empty-npm-package', name)
    }
  })

  test('is reported if a binary or a hash is missing', () => {
    const engine = {
      integrity: 'sha512-x',
      optionalDependencies: { 'engine-darwin-arm64': '1.0.0', 'engine-linux-x64-gnu': '1.0.0' },
    }
    const packages = { 'node_modules/engine': engine, 'node_modules/engine-linux-x64-gnu': {} }
    assert.deepEqual(missingBinaries({ packages }), ['engine-darwin-arm64'])
    assert.deepEqual(unverified({ packages }), ['node_modules/engine-linux-x64-gnu'])
  })
})
