import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toRepository } from './boundaries.ts'
import { loading, readDeclarations, type Uses } from './declarations.ts'
import { declaring, everything, type Import, type Module, readEntries, readModule } from './named-imports.ts'

/** The declarations that a declaration uses at run time, in its file and in others. Reads a file when it is needed. */
export const usedDeclarations = (
  root: string,
  sources: readonly string[],
): ((declaration: Import) => readonly Import[]) => {
  const known = new Set(sources)
  const entries = readEntries(root)
  const toSource = (target: string): string => entries.get(target) ?? target
  const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
  const modules = {
    get: remembered((path): Module | undefined =>
      known.has(path) ? readModule(path, textOf(path), toSource) : undefined,
    ),
  }
  const declarationsOf = remembered(
    (path): ReadonlyMap<string, Uses> => (known.has(path) ? readDeclarations(path, textOf(path)) : new Map()),
  )
  return ({ target, name }) => {
    const declared = declarationsOf(target)
    const uses = declared.get(name)
    // All of a file, or a name that it has only outside.
    if (uses === undefined) return [...declared.keys()].map((each) => ({ target, name: each }))
    const found: Import[] = [{ target, name: loading }]
    for (const used of uses.names) {
      const imported = modules.get(target)?.local.get(used)
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

const remembered = <Value>(read: (path: string) => Value): ((path: string) => Value) => {
  const known = new Map<string, Value>()
  return (path) => {
    const value = known.has(path) ? (known.get(path) as Value) : read(path)
    known.set(path, value)
    return value
  }
}
