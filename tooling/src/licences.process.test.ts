import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Component, refusedComponents, unstatedLicences } from './release.ts'
import { auditSignatures, judgeSignatures } from './signatures.ts'

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

  test('has the signature of its registry, if the registry has signatures', async (context) => {
    const { verdict, reason } = await auditSignatures()
    assert.notEqual(verdict, 'refused', reason)
    context.diagnostic(`${verdict}: ${reason}`)
  })

  test('whose signature is missing or wrong is reported; one that nobody can verify is skipped, with the reason', () => {
    const judged = (code: number, output: string) => judgeSignatures({ code, output })
    assert.equal(judged(1, '2 packages have missing registry signatures').verdict, 'refused')
    assert.equal(judged(1, '1 package has an invalid registry signature').verdict, 'refused')
    assert.equal(judged(1, '1 package has an invalid attestation').verdict, 'refused')
    assert.deepEqual(
      judged(0, 'audited 300 packages in 2s\n\n300 packages have verified registry signatures\n'),
      {
        verdict: 'verified',
        reason: '300 packages have verified registry signatures',
      },
    )
    assert.deepEqual(
      judged(
        1,
        'npm error code ENOTFOUND\nnpm error network request to https://keys.example failed, reason: x\n',
      ),
      { verdict: 'skipped', reason: 'network request to https://keys.example failed, reason: x' },
    )
    assert.equal(judged(0, '').verdict, 'skipped', 'nothing was verified')
  })
})
