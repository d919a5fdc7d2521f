import { execFile } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, realpath, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string
}

const prefix = 'millseal-test-'

export async function makeTemporaryFolder(parent: string = tmpdir()): Promise<TemporaryFolder> {
  const path = await realpath(await mkdtemp(join(parent, `${prefix}${process.pid}-`)))
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  }
}

/** Creating a database takes 10 ms in memory, and 300 ms on a busy disk. */
export async function fastestFolder(): Promise<string> {
  const memory = '/dev/shm'
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > 2 ** 30 ? memory : tmpdir()
}

const tmpfsMagic = 0x01_02_19_94

/** In memory nothing is durable, and a durable write would cost nothing. */
export const diskFolder = (): string => (statfsSync(tmpdir()).type === tmpfsMagic ? '/var/tmp' : tmpdir())

/** Folders in `parent` that killed test processes left: in memory they would stay until the machine restarts. */
export async function removeAbandonedFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length).split('-')[0] : Number.NaN)
    if (!(pid > 0) || isAlive(pid)) continue
    const path = join(parent, name)
    for (const disk of await disksIn(path)) await promisify(execFile)('umount', ['--lazy', disk])
    await rm(path, { recursive: true, force: true })
  }
}

/** Disks that a test mounted, on Linux. */
async function disksIn(folder: string): Promise<readonly string[]> {
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '')
  return mounts
    .split('\n')
    .flatMap((line) => line.split(' ', 2)[1] ?? [])
    .filter((path) => path.startsWith(`${folder}/`))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
