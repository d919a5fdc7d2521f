import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const builtConsole = 'console/built'

/** A checkout in which faults hurt nobody; packages stay where they are, our own are those of the copy. */
export const copyTree = async (root: string, folder: string): Promise<void> => {
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    { cwd: root, maxBuffer: 64 * 1_024 * 1_024 },
  )
  for (const path of stdout.split('\0')) {
    if (path === '' || !existsSync(join(root, path))) continue
    cpSync(join(root, path), join(folder, path), { recursive: true, force: true })
  }
  linkPackages(root, folder)
  // script/bootstrap builds it, and pages of the server need it.
  symlinkSync(join(root, builtConsole), join(folder, builtConsole))
}

/** The commit as a checkout, without a history. Its packages are those of `root`. */
export const exportCommit = async (root: string, commit: string, folder: string): Promise<void> => {
  const archive = join(folder, 'commit.tar')
  await promisify(execFile)('git', ['archive', '--output', archive, commit], { cwd: root })
  await promisify(execFile)('tar', ['-xf', archive, '-C', folder])
  rmSync(archive)
  linkPackages(root, folder)
}

const linkPackages = (root: string, folder: string): void => {
  mkdirSync(join(folder, 'node_modules/@millseal'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@millseal')
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  for (const name of readdirSync(join(root, 'node_modules/@millseal'))) {
    symlinkSync(join(folder, name), join(folder, 'node_modules/@millseal', name))
  }
}
