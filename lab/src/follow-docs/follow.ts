import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDebian } from './debian.ts'
import { readWalk, scriptOfWalk } from './walk.ts'
import type { Walk } from './walks.ts'

const root = join(import.meta.dirname, '../../..')

/** What dpkg says about each of some hundred packages. */
const aboutPackages = /^(?:Selecting|Preparing|Unpacking|Setting up|Get:|\(Reading|Processing triggers)/

/** Follows the pages on a fresh Debian and uses the installation. Rejects if anything fails. */
export const follow = async (walk: Walk, print: (line: string) => void): Promise<void> => {
  const stages = await readWalk(walk)
  for (const line of walk.replaced) print(line)
  await using debian = await openDebian(walk.release)
  await promisify(execFile)('git', [
    'clone',
    '--quiet',
    '--no-hardlinks',
    root,
    join(debian.root, 'opt/millseal'),
  ])
  const printShort = (line: string): void => {
    if (!aboutPackages.test(line)) print(line)
  }
  if ((await debian.run(scriptOfWalk(stages), printShort)) === 0) return
  await debian.run(walk.logs, print)
  throw new Error('A command failed')
}
