import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gitPaths } from './git.ts'

/** The files of the checkout that match: those git tracks, and those `git add` would add. */
export const listFiles = async (root: string, patterns: readonly string[]): Promise<string[]> => {
  const listed = gitPaths(root, 'ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns)
  return [...new Set(listed)].filter((path) => existsSync(join(root, path)))
}

const typescript: readonly string[] = ['*.ts', '*.tsx']

/** The TypeScript of the checkout. */
export const listSources = (root: string): Promise<string[]> => listFiles(root, typescript)

/** Those of these paths that match, as git understands the patterns: `*` passes folders, and `:!` excludes. */
export const matching = (paths: readonly string[], patterns: readonly string[] = typescript): string[] => {
  const anyOf = (some: readonly string[]): RegExp =>
    new RegExp(
      `^(?:${some.map((one) => one.replaceAll(/[^\w/*-]/g, '\\$&').replaceAll('*', '.*')).join('|')})$`,
    )
  const excluded = patterns.filter((one) => one.startsWith(':!'))
  const wanted = anyOf(patterns.filter((one) => !excluded.includes(one)))
  const unwanted = anyOf(excluded.map((one) => one.slice(2)))
  return paths.filter((path) => wanted.test(path) && !unwanted.test(path))
}
