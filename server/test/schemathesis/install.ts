import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const requirements = join(import.meta.dirname, 'requirements.txt')

/** Installs the pinned versions from PyPI into this folder; resolves with the program. */
export const installSchemathesis = async (folder: string): Promise<string> => {
  // With a pip of its own, and all modules compiled in advance, this takes three times as long.
  await run('python3', ['-m', 'venv', '--without-pip', folder])
  const quick = ['--quiet', '--disable-pip-version-check', '--no-compile']
  const pinned = ['--no-deps', '--only-binary=:all:', '--requirement', requirements]
  await run('python3', ['-m', 'pip', '--python', folder, 'install', ...quick, ...pinned])
  return join(folder, 'bin/schemathesis')
}

/** Why the judge cannot be asked here, or false. Only CI installs programs on its own. */
export const lacksSchemathesis = (): string | false =>
  process.env['CI'] === 'true' && process.getuid?.() === 0
    ? false
    : 'schemathesis is installed on CI only: run script/schemathesis'
