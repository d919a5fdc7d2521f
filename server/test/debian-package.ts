import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Wanted = { readonly name: string; readonly file: string }

/** CI may install programs of Debian, so nothing is skipped there. */
export const mayInstall = process.env['CI'] === 'true' && process.getuid?.() === 0

/** Why a program of Debian is missing here, or false. */
export const lacksPackage = async ({ name, file }: Wanted): Promise<string | false> => {
  if (!existsSync(file) && mayInstall) installPackage({ name, file })
  return existsSync(file) ? false : `${name} is not installed on this machine`
}

/**
 * Test files run side by side. Only one may install at a time, and while one reads the lists of packages, another finds no
 * package: all of them wait for a lock of ours, because apt has none for both steps.
 */
export const installPackage = ({ name, file }: Wanted): void => {
  const options = '-qq -y --no-install-recommends -o DPkg::Lock::Timeout=120'
  const install = `test -e '${file}' || { apt-get update -qq; apt-get install ${options} ${name}; }`
  spawnSync('flock', [join(tmpdir(), 'millseal-apt.lock'), 'sh', '-c', install], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: 'ignore',
  })
}
