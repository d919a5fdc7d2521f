import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Component, refusedComponents, unstatedLicences } from './release.ts'

const root = join(import.meta.dirname, '../..')

type Manifest = {
  readonly name: string
  readonly version: string
  readonly license?: string | { readonly type?: string }
  readonly licenses?: readonly { readonly type?: string }[]
}
type Lock = {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly link?: boolean }>>
}

/** Read from the installed packages, not from the lock file, which repeats what a registry says. */
const componentOf = ({ name, version, license, licenses = [] }: Manifest): Component => {
  const stated = [license, ...licenses].flatMap((each) =>
    typeof each === 'string' ? each : (each?.type ?? []),
  )
  return { name, version, licences: unstatedLicences[name] ?? stated }
}

const productionPackages = async (): Promise<Component[]> => {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock
  const folders = Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
    .map(([path]) => join(root, path, 'package.json'))
  // Binaries of other platforms are not installed.
  const manifests = folders.filter((path) => existsSync(path))
  return Promise.all(
    manifests.map(async (path) => componentOf(JSON.parse(await readFile(path, 'utf8')) as Manifest)),
  )
}

describe('every package', () => {
  test('of the product has an allowed licence', async () => {
    const components = await productionPackages()
    assert.ok(components.length > 100, `${components.length} packages`)
    assert.deepEqual(refusedComponents(components), [])
  })

  test('with another licence, or none, is reported', () => {
    const planted: Manifest[] = [
      { name: 'copyleft', version: '1.0.0', license: 'AGPL-3.0-only' },
      { name: 'old-form', version: '1.0.0', licenses: [{ type: 'GPL-2.0' }] },
      { name: 'silent', version: '1.0.0' },
      { name: 'fine', version: '1.0.0', license: '(MIT OR GPL-3.0-only)' },
    ]
    const refused = refusedComponents(planted.map(componentOf)).map(({ name }) => name)
    assert.deepEqual(refused, ['copyleft', 'old-form', 'silent'])
  })
})
