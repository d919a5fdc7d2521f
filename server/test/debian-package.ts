import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

type Wanted = { readonly name: string; readonly file: string }

/** Why a program of Debian is missing here, or false. CI installs it, so nothing is skipped there. */
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
