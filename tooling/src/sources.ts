import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gitPaths } from './git.ts'

/** The files of the checkout that match: those git tracks, and those `git add` would add. */
export const listFiles = async (root: string, patterns: readonly string[]): Promise<string[]> => {
  const listed = gitPaths(root, 'ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns)
  return [...new Set(listed)].filter((path) => existsSync(join(root, path)))
}

/** The TypeScript of the checkout. */
export const listSources = (root: string): Promise<string[]> => listFiles(root, ['*.ts', '*.tsx'])
