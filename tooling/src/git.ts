import { execFileSync } from 'node:child_process'

/** What git prints in this folder. */
export const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** The paths that git lists. */
export const gitPaths = (folder: string, ...args: readonly string[]): string[] =>
  git(folder, ...args.slice(0, 1), '-z', ...args.slice(1))
    .split('\0')
    .filter((path) => path !== '')
