import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'

type Locked = {
  readonly integrity?: string
  readonly link?: boolean
  /** Comes inside the package above it. */
  readonly inBundle?: boolean
  readonly name?: string
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

const readLock = async (path: string): Promise<Lock> =>
  JSON.parse(await readFile(join(import.meta.dirname, '../..', path), 'utf8')) as Lock

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

  test('has an empty package in place of the telemetry of the API viewer', async () => {
    const { packages } = await readLock('package-lock.json')
    assert.equal(packages['node_modules/@scarf/scarf']?.name, 'empty-npm-package')
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
