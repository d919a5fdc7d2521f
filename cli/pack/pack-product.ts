// Builds the npm package of server, console and command: the sources in their folders, with their types blanked out. Node
// does not run TypeScript in node_modules.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** What an installation runs. The console is in the package as it was built. */
const workspaces = ['contract', 'proof', 'replay', 'node', 'pdf', 'families', 'sdk', 'server', 'cli'] as const

const isLeftOut = (path: string): boolean =>
  /\.(?:test|suite|fixture)\.ts$|^[a-z]+\/(?:test|testing|emit|pack|vectors)\/|\/vectors\/|tsconfig\.json$|^[a-z]+\/package\.json$|\.(?:md|go|java|py|mod|sum|yaml)$/.test(
    path,
  )

type Manifest = {
  readonly name: string
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as Manifest

/** Returns the path of the package. */
export const packProduct = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true })
  const staged = await mkdtemp(join(tmpdir(), 'millseal-package-'))
  try {
    const entries = await readEntries()
    const { stdout: listed } = await run('git', ['ls-files', ...workspaces], {
      cwd: root,
      maxBuffer: 2 ** 24,
    })
    for (const path of listed.trim().split('\n')) if (!isLeftOut(path)) await copyInto(staged, path, entries)
    await cp(join(root, 'console/built'), join(staged, 'console/built'), { recursive: true })
    await cp(join(root, 'LICENSE'), join(staged, 'LICENSE'))
    await cp(join(import.meta.dirname, 'start.cjs'), join(staged, 'cli/start.cjs'))
    await writeFile(join(staged, 'README.md'), readme)
    await writeFile(join(staged, 'package.json'), JSON.stringify(await manifest(), undefined, 2))
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', resolve(folder)], {
      cwd: staged,
      maxBuffer: 2 ** 24,
    })
    const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[]
    if (packed === undefined) throw new Error('npm pack created no package')
    return join(resolve(folder), packed.filename)
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
}

/** The file of each entry point of a workspace. */
const readEntries = async (): Promise<ReadonlyMap<string, string>> => {
  const entries = new Map<string, string>()
  for (const workspace of workspaces) {
    const { name, exports = {} } = await readManifest(workspace)
    for (const [entry, file] of Object.entries(exports)) entries.set(join(name, entry), join(workspace, file))
  }
  return entries
}

const copyInto = async (
  staged: string,
  path: string,
  entries: ReadonlyMap<string, string>,
): Promise<void> => {
  const target = join(staged, path)
  await mkdir(dirname(target), { recursive: true })
  if (!path.endsWith('.ts')) return cp(join(root, path), target)
  const code = stripTypeScriptTypes(await readFile(join(root, path), 'utf8'))
  await writeFile(`${target.slice(0, -3)}.js`, withNewNames(code, path, entries))
}

/** A text that may name a source: in the places of Node, a path, or an entry point of a workspace. */
const named = /(['"`])((?:@millseal\/|\.{1,2}\/|[a-z/-]+\.ts\b)[^'"`\n]*)\1/g

/** Throws for a name that has no file in the package, so that nothing is missed until it runs. */
export const withNewNames = (code: string, path: string, entries: ReadonlyMap<string, string>): string =>
  code
    .replaceAll(named, (whole, quote: string, name: string) => {
      if (!name.startsWith('@millseal/'))
        return name.endsWith('.ts') ? `${quote}${name.slice(0, -3)}.js${quote}` : whole
      const entry = entries.get(name)
      if (entry === undefined) throw new Error(`${path} names ${name}, which is not in the package`)
      const address = relative(dirname(path), entry).replace(/\.ts$/, '.js')
      return `${quote}${address.startsWith('.') ? address : `./${address}`}${quote}`
    })
    .replaceAll(/[ \t]+$/gm, '')

const readme = `# Millseal

Server, console and command of Millseal, which notarizes quality certificates. Needs Node 24 or newer.

\`\`\`
npx millseal serve
npx millseal demo
\`\`\`

The documentation is served by the server, at /docs/guide.
`

/** Everything that the workspaces need from others. */
const manifest = async (): Promise<object> => {
  const top = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<string, unknown>
  const manifests = await Promise.all(workspaces.map(readManifest))
  const ofOthers = (kind: 'dependencies' | 'optionalDependencies') =>
    Object.fromEntries(
      manifests
        .flatMap((each) => Object.entries(each[kind] ?? {}))
        .filter(([name]) => !name.startsWith('@millseal/'))
        .toSorted(([a], [b]) => a.localeCompare(b)),
    )
  const { pkcs11js, ...optionalDependencies } = ofOthers('optionalDependencies')
  const { version, license, engines, description } = top
  return {
    name: 'millseal',
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { millseal: 'cli/start.cjs' },
    exports: { './package.json': './package.json' },
    dependencies: ofOthers('dependencies'),
    optionalDependencies,
    // It is compiled when it is installed, and only keys in a PKCS#11 token need it.
    peerDependencies: { pkcs11js },
    peerDependenciesMeta: { pkcs11js: { optional: true } },
  }
}

if (import.meta.main) process.stdout.write(`${await packProduct(process.argv[2] ?? '.')}\n`)
