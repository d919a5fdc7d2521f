import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The TypeScript of the checkout: what git tracks, and what it would take in with `git add`. */
export const listSources = async (root: string): Promise<string[]> => {
  const listed = await promisify(execFile)(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', '*.ts', '*.tsx'],
    { cwd: root, maxBuffer: 16 * 1024 * 1024 },
  )
  return [...new Set(listed.stdout.split('\0'))].filter((path) => path !== '' && existsSync(join(root, path)))
}
