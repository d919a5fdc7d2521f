// Builds one npm package from sdk/ and the parts of contract/ it imports: JavaScript with types, because Node does not
// run TypeScript in node_modules.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** Returns the path of the package. */
export const packSdk = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true })
  const home = await mkdtemp(join(tmpdir(), 'millseal-sdk-'))
  try {
    const project = join(home, 'tsconfig.json')
    const staged = join(home, 'package')
    await writeFile(project, JSON.stringify(projectInto(join(staged, 'dist'))))
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', project, '--checkers', '1'])
    await linkToContract(join(staged, 'dist/sdk/src'))
    await writeFile(join(staged, 'package.json'), JSON.stringify(await manifest(), undefined, 2))
    await cp(join(root, 'LICENSE'), join(staged, 'LICENSE'))
    await writeFile(join(staged, 'README.md'), readmeOf(await readFile(join(root, 'docs/sdk.md'), 'utf8')))
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', resolve(folder)], {
      cwd: staged,
    })
    const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[]
    if (packed === undefined) throw new Error('npm pack created no package')
    return join(resolve(folder), packed.filename)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** The package does not contain the other pages, so links to them become plain text. */
const readmeOf = (page: string): string => page.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1')

const projectInto = (outDir: string) => ({
  extends: join(root, 'sdk/tsconfig.json'),
  compilerOptions: {
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    // If resolved through node_modules, it would not be compiled.
    paths: {
      '@millseal/contract': [join(root, 'contract/src/index.ts')],
      '@millseal/contract/operation-table': [join(root, 'contract/src/operation-table.ts')],
    },
    rootDir: root,
    outDir,
  },
  files: [join(root, 'sdk/src/index.ts')],
  include: [],
})

/** The workspace `contract` is a folder of the package. */
const linkToContract = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const text = await readFile(path, 'utf8')
    const linked = text
      .replaceAll("'@millseal/contract'", "'../../contract/src/index.js'")
      .replaceAll("'@millseal/contract/operation-table'", "'../../contract/src/operation-table.js'")
    await writeFile(path, linked)
  }
}

type Manifest = Readonly<Record<'name' | 'description' | 'license' | 'type', string>> & {
  readonly engines: object
  readonly dependencies: Readonly<Record<string, string>>
}

const readManifest = async (workspace: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(root, workspace, 'package.json'), 'utf8')) as Manifest

/** Only the root manifest has the version. */
export const releasedVersion = async (): Promise<string> => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  return version
}

const manifest = async (): Promise<object> => {
  const { name, description, license, type, engines } = await readManifest('sdk')
  const { dependencies } = await readManifest('contract')
  const entry = { types: './dist/sdk/src/index.d.ts', default: './dist/sdk/src/index.js' }
  return {
    name,
    version: await releasedVersion(),
    description,
    license,
    type,
    engines,
    exports: { '.': entry },
    dependencies,
  }
}

if (import.meta.main) process.stdout.write(`${await packSdk(process.argv[2] ?? '.')}\n`)
