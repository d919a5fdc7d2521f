import { rmSync } from 'node:fs'
import { mkdtemp, readdir, realpath, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SignedInServer, Workshop } from './row.ts'
import { startServer } from './server-process.ts'
import { signUp } from './sign-up.ts'

/** The most that config.ts accepts: every call is counted and none refused. */
const unreachableLimit = '1000000'

export const openWorkshop = async (say: (text: string) => void): Promise<Workshop> => {
  await using opened = new AsyncDisposableStack()
  const parent = await diskFolder()
  await removeAbandonedFolders(parent)
  const home = await realpath(await mkdtemp(join(parent, `${prefix}${process.pid}-`)))
  const removeNow = (): void =>
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  process.on('exit', removeNow)
  opened.defer(async () => {
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    process.off('exit', removeNow)
  })
  const closing = opened.move()
  const servers = new Map<string, Promise<SignedInServer>>()

  const begin = async (limits: 'unlimited' | 'limited'): Promise<SignedInServer> => {
    say(`starting a server, ${limits}`)
    const dataDir = join(home, limits)
    const environment = { MILLSEAL_RATE_LIMIT: limits === 'unlimited' ? '0' : unreachableLimit }
    const { url, pid } = closing.use(await startServer(dataDir, environment))
    return { url, pid, token: await signUp(url, dataDir) }
  }
  return {
    closing,
    say,
    folder: async (name) => mkdtemp(join(home, `${name}-`)),
    server(limits) {
      const started = servers.get(limits) ?? begin(limits)
      servers.set(limits, started)
      return started
    },
  }
}

const prefix = 'millseal-bench-'

/** What runs that were killed left behind. */
const removeAbandonedFolders = async (parent: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length).split('-')[0] : Number.NaN)
    if (pid > 0 && !isAlive(pid)) await rm(join(parent, name), { recursive: true, force: true })
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const tmpfsMagic = 0x01_02_19_94

/** In memory nothing is durable, so a durable write would cost nothing. */
const diskFolder = async (): Promise<string> =>
  (await statfs(tmpdir())).type === tmpfsMagic ? '/var/tmp' : tmpdir()
