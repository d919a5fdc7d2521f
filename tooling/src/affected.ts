import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gitPaths } from './git.ts'
import { type NamedImports, readNamedImports } from './named-imports.ts'
import { listSources } from './sources.ts'

export type Affected = {
  /** Changed files that exist. */
  readonly paths: readonly string[]
  /** Those of them that the linter reads. */
  readonly sources: readonly string[]
  /** Their top-level folders. */
  readonly folders: readonly string[]
  readonly tests: readonly string[]
  /** How many test files reach a change only through the whole server. */
  readonly left: number
}

/**
 * They import nearly everything, so a change would reach nearly every test through them: composition, and the entry
 * points of workspaces and services.
 */
const isEverywhere = (path: string): boolean =>
  path === 'server/src/compose.ts' ||
  path.startsWith('server/src/compose/') ||
  path === 'server/test/test-server.ts' ||
  path === 'contract/src/operations/index.ts' ||
  /^(\w+\/src|server\/src\/services\/\w+)\/index\.ts$/.test(path)

const isTest = (path: string): boolean => path.endsWith('.test.ts')

/** The tests a change can break: those beside it, those that import it, and those that read it by its name. */
export const findAffected = async (root: string, since: string): Promise<Affected> => {
  const list = (...args: string[]): string[] => gitPaths(root, ...args)
  const changed = [
    ...list('diff', '--name-only', '--no-renames', since),
    ...list('ls-files', '--others', '--exclude-standard'),
  ]
  const sources = await listSources(root)
  const importers = readNamedImports(root, sources)
  const named = readersByName(
    root,
    sources,
    changed.filter((path) => !sources.includes(path)),
  )
  const starts = [...changed, ...named]
  const reached = new Set([...reach(starts, importers, isEverywhere), ...testsBeside(changed, sources)])
  const tests = sources.filter((path) => isTest(path) && reached.has(path))
  const all = reach(starts, importers, () => false)
  const existing = new Set(list('ls-files', '--cached', '--others', '--exclude-standard'))
  const deleted = new Set(list('ls-files', '--deleted'))
  const paths = changed.filter((path) => existing.has(path) && !deleted.has(path))
  return {
    paths,
    sources: paths.filter((path) => sources.includes(path)),
    folders: [...new Set(changed.map((path) => path.split('/', 1)[0] ?? ''))],
    tests,
    left: sources.filter((path) => isTest(path) && all.has(path) && !reached.has(path)).length,
  }
}

/**
 * Every file that is reached from these against the direction of imports, by the names it imports; a file that stops is
 * reached, not passed. A changed file may pass on other names than before, so that it counts for all who import it.
 */
const reach = (
  starts: readonly string[],
  { users, importers }: NamedImports,
  stops: (path: string) => boolean,
): ReadonlySet<string> => {
  const reached = new Set(starts)
  for (const start of starts)
    for (const path of importers.get(start) ?? []) if (!stops(path) || !isBarrel(path)) reached.add(path)
  for (const path of reached) {
    if (stops(path) && !starts.includes(path)) continue
    for (const user of users.get(path) ?? []) reached.add(user)
  }
  return reached
}

const isBarrel = (path: string): boolean => path.endsWith('/index.ts')

/** Sources that name a file which is not one itself: a fixture, a page, a migration. */
const readersByName = (root: string, sources: readonly string[], files: readonly string[]): string[] => {
  if (files.length === 0) return []
  const isMigration = files.some((path) => path.startsWith('server/src/migrations/'))
  return sources.filter((path) => {
    if (isMigration && isTest(path) && path.startsWith('server/src/adapters/database/')) return true
    const text = readFileSync(join(root, path), 'utf8')
    if (isTest(path) && text.includes('docs') && files.some(isDocument)) return true
    return files.some((file) => text.includes(basename(file)))
  })
}

const isDocument = (path: string): boolean => path.endsWith('.md')

const testsBeside = (changed: readonly string[], sources: readonly string[]): string[] => {
  const folders = new Set(changed.map(dirname))
  return sources.filter((path) => isTest(path) && folders.has(dirname(path)))
}
