import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'

type Lock = {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Record<string, string> }>>
}

const named = /(?:darwin|linux)-(?:x64|arm64)(?:-gnu)?$/

/** Binaries for the platforms we name that a package wants and the lock file does not have: npm would leave them out. */
const lacking = ({ packages }: Lock): string[] => {
  const there = Object.keys(packages)
  return Object.values(packages)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter((name) => named.test(name) && !there.some((path) => path.endsWith(`node_modules/${name}`)))
}

describe('the lock file', () => {
  test('has the binaries of every platform we name', async () => {
    const text = await readFile(join(import.meta.dirname, '../../package-lock.json'), 'utf8')
    assert.deepEqual(lacking(JSON.parse(text) as Lock), [])
    assert.doesNotMatch(text, /"resolved": "http/)
  })

  test('without one of them is noticed', () => {
    const engine = {
      optionalDependencies: { 'engine-darwin-arm64': '1.0.0', 'engine-linux-x64-gnu': '1.0.0' },
    }
    const packages = { 'node_modules/engine': engine, 'node_modules/engine-linux-x64-gnu': {} }
    assert.deepEqual(lacking({ packages }), ['engine-darwin-arm64'])
  })
})
