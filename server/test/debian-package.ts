import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

type Wanted = { readonly name: string; readonly file: string }

/** Why a program of Debian cannot be had here, or false. On CI it is installed: there nothing is skipped. */
export const lacksPackage = async ({ name, file }: Wanted): Promise<string | false> => {
  const mayInstall = process.env['CI'] === 'true' && process.getuid?.() === 0
  if (!existsSync(file) && mayInstall) {
    // Test files run side by side, and only one may install at a time.
    const patiently = '-o DPkg::Lock::Timeout=120'
    const install = `apt-get update -qq; apt-get install -qq -y ${patiently} --no-install-recommends ${name}`
    await promisify(execFile)('sh', ['-c', install], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).catch(() => {})
  }
  return existsSync(file) ? false : `${name} is not installed on this machine`
}
