import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { makeTemporaryFolder } from '../../server/test/temporary-folder.ts'

type Lock = {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly link?: boolean }>>
}
type Size = { readonly path: string; readonly mebibytes: number }

const limitMebibytes = 200
/** What file systems usually take for the last part of a file. */
const blockBytes = 4_096

/** What is in a folder, without the packages inside it, which the lock file lists on their own. */
const bytesIn = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? 0 : bytesIn(path)
    return entry.isFile() ? Math.ceil((await stat(path)).size / blockBytes) * blockBytes : 0
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, blockBytes)
}

/** The packages of `npm ci --omit=dev` on this platform, the largest first, as `du -m` counts them. */
const productionPackages = async (root: string): Promise<readonly Size[]> => {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock
  const sizes: Size[] = []
  for (const [path, { dev, link }] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || dev === true || link === true) continue
    // Binaries of other platforms are not installed.
    const isInstalled = await stat(join(root, path)).then(
      () => true,
      () => false,
    )
    if (isInstalled) sizes.push({ path, mebibytes: (await bytesIn(join(root, path))) / 2 ** 20 })
  }
  return sizes.toSorted((one, other) => other.mebibytes - one.mebibytes)
}

const assertSmall = (sizes: readonly Size[]): void => {
  const total = sizes.reduce((sum, { mebibytes }) => sum + mebibytes, 0)
  const largest = sizes.slice(0, 5).map(({ path, mebibytes }) => `${path} ${mebibytes.toFixed(1)} MiB`)
  assert.ok(
    total <= limitMebibytes,
    `The packages of a production installation have ${total.toFixed(0)} MiB; ${limitMebibytes} are allowed. The largest: ${largest.join(', ')}`,
  )
}

describe('the packages of a production installation', () => {
  test(`have at most ${limitMebibytes} MiB`, async (context) => {
    const sizes = await productionPackages(join(import.meta.dirname, '../..'))
    assert.ok(sizes.length > 100, `${sizes.length} packages`)
    const total = sizes.reduce((sum, { mebibytes }) => sum + mebibytes, 0)
    context.diagnostic(`${sizes.length} packages with ${total.toFixed(0)} MiB`)
    assertSmall(sizes)
  })

  test('that are too large are reported; what only development needs does not count', async () => {
    await using folder = await makeTemporaryFolder()
    const plant = async (name: string, bytes: number) => {
      const path = join(folder.path, 'node_modules', name, 'fonts')
      await mkdir(path, { recursive: true })
      await writeFile(join(path, 'large.ttf'), Buffer.alloc(bytes))
    }
    const packages = {
      '': {},
      'node_modules/own': { link: true },
      'node_modules/typefaces': {},
      'node_modules/compiler': { dev: true },
      'node_modules/engine-other-platform': {},
    }
    await writeFile(join(folder.path, 'package-lock.json'), JSON.stringify({ packages }))
    await plant('compiler', 212_000_000)
    await plant('typefaces', 205_000_000)
    assertSmall(await productionPackages(folder.path))
    await plant('typefaces', 212_000_000)
    const sizes = await productionPackages(folder.path)
    assert.throws(
      () => assertSmall(sizes),
      /have 202 MiB; 200 are allowed. The largest: node_modules\/typefaces/,
    )
  })
})
