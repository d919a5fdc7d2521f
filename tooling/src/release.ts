import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { packProduct } from '../../cli/pack/pack-product.ts'
import { writeCorpus } from './write-corpus.ts'
import { packSdk, releasedVersion } from './pack-sdk.ts'
import { assertNoDebts } from './unstable.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** Licences that a package of the product may have. */
const allowedLicences =
  /^(?:MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|PostgreSQL|OFL-1\.1|Bitstream-Vera|Unlicense)$/

/** Packages whose manifest names no licence, but whose files do. */
export const unstatedLicences: Readonly<Record<string, readonly string[]>> = {
  'dejavu-fonts-ttf': ['Bitstream-Vera'],
}

export type Component = {
  readonly name: string
  readonly version: string
  readonly licences: readonly string[]
}

/** Writes all files of a release into the folder and resolves with their names. */
export const makeRelease = async (folder: string): Promise<string[]> => {
  const version = await releasedVersion()
  await assertDescribed(version)
  assertNoDebts(root)
  const source = join(folder, `millseal-${version}.tar.gz`)
  await archive(source, `millseal-${version}/`)
  const product = await packProduct(folder)
  const sdk = await packSdk(folder)
  const sbom = join(folder, `millseal-${version}.cdx.json`)
  await writeFile(sbom, await billOfMaterials(version))
  const components = [...componentsOf(await readFile(sbom, 'utf8')), ...(await builtInto())]
  const refused = refusedComponents(components)
  if (refused.length > 0) throw new Error(`These licences are not allowed:\n${licenceList(refused)}`)
  const licences = join(folder, `millseal-${version}-licences.txt`)
  await writeFile(licences, licenceList(components))
  const corpus = join(folder, `millseal-${version}-corpus.tar.gz`)
  await packCorpus(corpus)
  const files = [source, product, sdk, sbom, licences, corpus]
  await writeFile(join(folder, 'SHA256SUMS'), await checksums(files))
  return [...files.map((file) => basename(file)), 'SHA256SUMS']
}

/** The differential corpus, the same bytes each time, for those who write another verifier. */
const packCorpus = async (file: string): Promise<void> => {
  const home = await mkdtemp(join(tmpdir(), 'millseal-corpus-'))
  try {
    const name = basename(file, '.tar.gz')
    await writeCorpus(join(home, name))
    const same = '--sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=a+rX,go-w'.split(' ')
    await run('tar', [...same, '-C', home, '--use-compress-program=gzip -n', '-cf', file, name])
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

const builtConsole = join(root, 'console/built')

/** The tracked files and the built console, so that a production installation needs nothing that builds. */
const archive = async (file: string, prefix: string): Promise<void> => {
  const entries = await readdir(builtConsole, { recursive: true, withFileTypes: true })
  const built = entries
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [`--prefix=${prefix}${dirname(relative(root, path))}/`, `--add-file=${path}`]
    })
  // The last prefix is that of the tracked files.
  await run('git', ['archive', ...built, `--prefix=${prefix}`, '-o', file, 'HEAD'], { cwd: root })
}

/** The packages whose code is in the built console. */
const builtInto = async (): Promise<Component[]> => {
  const packages = JSON.parse(await readFile(join(builtConsole, 'packages.json'), 'utf8')) as readonly {
    readonly name: string
    readonly version: string
    readonly licence: string
  }[]
  return packages.map(({ licence, ...each }) => ({ ...each, licences: [licence] }))
}

/** A CycloneDX bill of materials of everything that a production installation has. */
const billOfMaterials = async (version: string): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), 'millseal-sbom-'))
  try {
    // npm calls the application by the name of its folder.
    const folder = join(home, 'millseal')
    await copyManifests(folder, version)
    const { stdout } = await run(
      'npm',
      ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev', '--package-lock-only'],
      { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
    )
    return stdout
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** Workspaces have no version of their own; npm wants one of each before it writes their names. */
const copyManifests = async (folder: string, version: string): Promise<void> => {
  const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly workspaces: readonly string[]
  }
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Record<string, { version?: string }>
  }
  for (const name of ['.', ...workspaces]) {
    const manifest = JSON.parse(await readFile(join(root, name, 'package.json'), 'utf8')) as object
    await mkdir(join(folder, name), { recursive: true })
    await writeFile(join(folder, name, 'package.json'), JSON.stringify({ ...manifest, version }))
    const locked = lock.packages[name]
    if (locked !== undefined) locked.version = version
  }
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
}

export const componentsOf = (sbom: string): Component[] =>
  (
    JSON.parse(sbom) as {
      readonly components: readonly {
        readonly name: string
        readonly group?: string
        readonly version: string
        readonly licenses?: readonly {
          readonly license?: { readonly id?: string; readonly name?: string }
          readonly expression?: string
        }[]
      }[]
    }
  ).components.map(({ group, name, version, licenses = [] }) => ({
    name: group === undefined ? name : `${group}/${name}`,
    version,
    licences:
      licenses.length > 0
        ? licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '')
        : (unstatedLicences[name] ?? []),
  }))

export const refusedComponents = (components: readonly Component[]): Component[] =>
  components.filter(({ licences }) => licences.length === 0 || !licences.every(isAllowed))

/** An SPDX expression of alternatives is allowed if one of them is. */
const isAllowed = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, '')
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((licence) => allowedLicences.test(licence)))

const licenceList = (components: readonly Component[]): string =>
  components
    .map(({ name, version, licences }) => `${name} ${version}: ${licences.join(', ') || 'not stated'}\n`)
    .toSorted()
    .join('')

const assertDescribed = async (version: string): Promise<void> => {
  const changes = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  if (!changes.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md does not describe ${version}`)
}

const checksums = async (files: readonly string[]): Promise<string> => {
  const lines = await Promise.all(
    files.map(async (file) => {
      const digest = createHash('sha256')
        .update(await readFile(file))
        .digest('hex')
      return `${digest}  ${basename(file)}\n`
    }),
  )
  return lines.join('')
}

if (import.meta.main) {
  const folder = process.argv[2] ?? 'release'
  for (const name of await makeRelease(folder)) process.stdout.write(`${join(folder, name)}\n`)
}
