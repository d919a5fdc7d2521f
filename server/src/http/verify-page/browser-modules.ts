import { readdirSync, readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Prepares the sources of the page and of `proof/` for a browser: strips their types and turns imports of packages into
 * URLs of this server. The keys are paths below `base`.
 */
export const browserModules = (base: string): ReadonlyMap<string, string> => {
  const modules = new Map<string, string>()
  const entry = fileURLToPath(import.meta.resolve('@millseal/proof'))
  for (const [name, folder] of [
    ['client', join(import.meta.dirname, 'client')],
    ['proof', dirname(entry)],
  ] as const) {
    for (const file of sourcesIn(folder, /(?<!\.(?:test|suite))\.ts$/)) {
      const source = stripTypeScriptTypes(readFileSync(join(folder, file), 'utf8'))
      modules.set(`${name}/${file}`, withLocalImports(source, base))
    }
  }
  const require = createRequire(entry)
  for (const name of ['curves', 'hashes']) {
    const library = dirname(require.resolve(`@noble/${name}/utils.js`))
    for (const file of sourcesIn(library, /^[^/]+\.js$|^abstract\/[^/]+\.js$/)) {
      modules.set(`noble/${name}/${file}`, withLocalImports(readFileSync(join(library, file), 'utf8'), base))
    }
  }
  return modules
}

const sourcesIn = (folder: string, wanted: RegExp): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => wanted.test(path))

const withLocalImports = (source: string, base: string): string =>
  source
    .replaceAll(/(from\s*['"])@noble\/(curves|hashes)\//g, `$1${base}/noble/$2/`)
    .replaceAll(/(from\s*['"])@millseal\/proof(['"])/g, `$1${base}/proof/index.ts$2`)
