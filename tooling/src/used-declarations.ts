import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toRepository } from './boundaries.ts'
import { loading, readDeclarations, type Uses } from './declarations.ts'
import { declaring, everything, type Import, type Module, readEntries, readModule } from './named-imports.ts'

type Read = { readonly module: Module; readonly declared: ReadonlyMap<string, Uses> }

/** The declarations that a declaration uses at run time, in its file and in others. Reads a file when it is needed. */
export const usedDeclarations = (
  root: string,
  sources: readonly string[],
): ((declaration: Import) => readonly Import[]) => {
  const known = new Set(sources)
  const toSource = readEntries(root)
  const files = new Map<string, Read>()
  const read = (path: string): Read | undefined => {
    if (!files.has(path) && known.has(path)) {
      const source = readFileSync(join(root, path), 'utf8')
      const module = readModule(path, source, toSource)
      files.set(path, { module, declared: readDeclarations(path, source) })
    }
    return files.get(path)
  }
  const modules = { get: (path: string) => read(path)?.module }
  return ({ target, name }) => {
    const { module, declared } = read(target) ?? {}
    if (module === undefined || declared === undefined) return []
    const uses = declared.get(name)
    // All of a file, or a name that it has only outside.
    if (uses === undefined) return [...declared.keys()].map((each) => ({ target, name: each }))
    const found: Import[] = [{ target, name: loading }]
    for (const used of uses.names) {
      const imported = module.local.get(used)
      if (imported !== undefined) found.push(...declaring(modules, imported))
      else if (declared.has(used)) found.push({ target, name: used })
    }
    for (const path of uses.imports) {
      const other = toSource(toRepository(target, path))
      found.push(...declaring(modules, { target: other, name: everything }))
    }
    return found
  }
}
