import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { literal, toRepository } from './boundaries.ts'
import { readWorkspaces } from './static-checks.ts'

/** What a file imports of another at run time: names, or all of it. Types are left to the type checker. */
export type Import = { readonly target: string; readonly name: string }

export type Module = {
  readonly imports: readonly Import[]
  /** What it imports, by the name it has here. */
  readonly local: ReadonlyMap<string, Import>
  /** The names that it declares itself. */
  readonly declares: ReadonlySet<string>
  /** What it passes on, by the name it has here. */
  readonly passedOn: ReadonlyMap<string, Import>
  readonly passesOnAll: readonly string[]
}

export const everything = '*'

export type NamedImports = {
  /** Who imports a name that this file declares, through whatever file passes it on. */
  readonly users: ReadonlyMap<string, ReadonlySet<string>>
  /** Who imports this file by its path, whatever it takes from it. */
  readonly importers: ReadonlyMap<string, ReadonlySet<string>>
}

export const readNamedImports = (root: string, sources: readonly string[]): NamedImports => {
  const modules = new Map<string, Module>()
  const toSource = readEntries(root)
  for (const path of sources)
    modules.set(path, readModule(path, readFileSync(join(root, path), 'utf8'), toSource))
  const users = new Map<string, Set<string>>()
  const importers = new Map<string, Set<string>>()
  const add = (to: Map<string, Set<string>>, path: string, from: string): void =>
    void (to.get(path) ?? to.set(path, new Set()).get(path))?.add(from)
  for (const [from, { imports, passedOn, passesOnAll }] of modules) {
    for (const { target, name } of imports) {
      add(importers, target, from)
      for (const found of declaring(modules, { target, name })) add(users, found.target, from)
    }
    for (const { target } of passedOn.values()) add(importers, target, from)
    for (const target of passesOnAll) add(importers, target, from)
  }
  return { users, importers }
}

/** The declarations that a name stands for; several if all of a file is imported that passes on others. */
export const declaring = (
  modules: { get(path: string): Module | undefined },
  wanted: Import,
  seen: ReadonlySet<string> = new Set(),
): readonly Import[] => {
  const { target, name } = wanted
  const module = modules.get(target)
  const key = `${target} ${name}`
  if (module === undefined || seen.has(key)) return [wanted]
  const through = new Set([...seen, key])
  if (name === everything) {
    const others = [
      ...module.passedOn.values(),
      ...module.passesOnAll.map((path) => ({ target: path, name: everything })),
    ]
    return [wanted, ...others.flatMap((other) => declaring(modules, other, through))]
  }
  const passed = module.passedOn.get(name)
  if (passed !== undefined) return declaring(modules, passed, through)
  if (module.declares.has(name)) return [wanted]
  const found = module.passesOnAll.flatMap((path) => declaring(modules, { target: path, name }, through))
  // Nobody declares a type that is imported without saying so.
  return found.filter((other) => modules.get(other.target)?.declares.has(other.name) ?? true)
}

/** Returns what leads from the name that a workspace is imported by to its source, and from all else to itself. */
export const readEntries = (root: string): ((target: string) => string) => {
  const entries = new Map(
    readWorkspaces(root).flatMap((workspace) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
      return Object.entries<string>(exports).map(([entry, file]): [string, string] => [
        join(name, entry).replace(/\/$/, ''),
        join(workspace, file),
      ])
    }),
  )
  return (target) => entries.get(target) ?? target
}

/** `path` is relative to the root of the checkout. */
export const readModule = (
  path: string,
  source: string,
  resolveTarget: (target: string) => string,
): Module => {
  const { module } = parseSync(path, source)
  const toPath = (target: string): string => resolveTarget(toRepository(path, target))
  const imports: Import[] = module.staticImports.flatMap(({ moduleRequest, entries }) => {
    const target = toPath(moduleRequest.value)
    if (entries.length === 0) return [{ target, name: everything }]
    return entries
      .filter(({ isType }) => !isType)
      .map(({ importName }) => ({
        target,
        name: importName.name ?? (importName.kind === 'Default' ? 'default' : everything),
      }))
  })
  const local = new Map(
    module.staticImports.flatMap(({ moduleRequest, entries }) =>
      entries.map(({ localName, importName }): [string, Import] => [
        localName.value,
        { target: toPath(moduleRequest.value), name: importName.name ?? everything },
      ]),
    ),
  )
  const passedOn = new Map<string, Import>()
  const passesOnAll: string[] = []
  const declares = new Set<string>()
  for (const { moduleRequest, importName, exportName, localName, isType } of module.staticExports.flatMap(
    ({ entries }) => entries,
  )) {
    if (isType) continue
    const name = exportName.name ?? 'default'
    const again = localName.name === null ? undefined : local.get(localName.name ?? '')
    if (moduleRequest === null) {
      if (again === undefined) declares.add(name)
      else passedOn.set(name, again)
    } else if (importName.kind === 'Name') {
      passedOn.set(name, { target: toPath(moduleRequest.value), name: importName.name ?? name })
    } else passesOnAll.push(toPath(moduleRequest.value))
  }
  for (const { moduleRequest } of module.dynamicImports)
    for (const target of literal(source.slice(moduleRequest.start, moduleRequest.end)))
      imports.push({ target: toPath(target), name: everything })
  return { imports, local, declares, passedOn, passesOnAll }
}
