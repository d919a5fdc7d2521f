import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The files of the checkout that match: those git tracks, and those `git add` would add. */
export const listFiles = async (root: string, patterns: readonly string[]): Promise<string[]> => {
  const listed = await promisify(execFile)(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ...patterns],
    { cwd: root, maxBuffer: 16 * 1024 * 1024 },
  )
  return [...new Set(listed.stdout.split('\0'))].filter((path) => path !== '' && existsSync(join(root, path)))
}

/** The TypeScript of the checkout. */
export const listSources = (root: string): Promise<string[]> => listFiles(root, ['*.ts', '*.tsx'])
