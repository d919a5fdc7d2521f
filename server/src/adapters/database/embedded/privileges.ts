import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { cp, lstat, mkdir, rename, rm } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'
import { DatabaseRefused } from '../refused.ts'
import { type Binaries, binariesIn } from './binaries.ts'

/** How a program of PostgreSQL is started: it refuses to run as root. */
export interface Privileges {
  readonly binaries: Binaries
  readonly major: number
  /** Who must own the data folder; undefined where it is simply us. */
  readonly owner: number | undefined
  /** True where the owner cannot pass a closed folder above its own. */
  readonly needsOpenPath: boolean
  readonly way: Way
}

interface Way {
  readonly name: string
  readonly prefix: readonly string[]
  readonly user?: number
  readonly owner?: number
}

const nobody = 65_534
/** The database shuts down cleanly when this process dies, however it dies. Only Linux can do that. */
const dieWithParent: readonly string[] = ['setpriv', '--pdeathsig', 'INT', '--']

/** Keeps the right to pass every folder (the data may lie below /root), gives up everything else. */
const setpriv: Way = {
  name: 'setpriv',
  prefix: [
    'setpriv',
    '--securebits=+no_setuid_fixup',
    `--reuid=${nobody}`,
    `--regid=${nobody}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--no-new-privs',
    ...dieWithParent,
  ],
  owner: nobody,
}
/** Inside, we are called nobody; outside, every file is ours as before. */
const unshare: Way = {
  name: 'unshare',
  prefix: ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, ...dieWithParent],
}

/** The first way in which `postgres` runs here. */
export async function choosePrivileges(binaries: Binaries): Promise<Privileges> {
  const failures: string[] = []
  for (const way of candidateWays()) {
    const chosen = way.user === undefined ? binaries : await reachableFor(way, binaries)
    const major = await probe(way, chosen, failures)
    if (major !== undefined) {
      return { binaries: chosen, major, owner: way.owner, needsOpenPath: way.user !== undefined, way }
    }
  }
  throw new DatabaseRefused(`The bundled PostgreSQL does not run on this machine: ${failures.join('; ')}`)
}

/** `detached`: Ctrl-C in the terminal is for us, who stop the database last. */
export function spawnAs(
  privileges: Privileges,
  program: 'initdb' | 'postgres',
  args: readonly string[],
): ChildProcess {
  const { way, binaries } = privileges
  const [command, ...rest] = [...way.prefix, binaries[program], ...args]
  return spawn(command ?? binaries[program], rest, {
    ...identity(way),
    env: environment(binaries),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
}

function candidateWays(): Way[] {
  const linux = process.platform === 'linux'
  if (process.getuid?.() === 0) {
    const asNobody: Way = { name: 'nobody', prefix: [], user: nobody, owner: nobody }
    return linux ? [setpriv, unshare, { ...asNobody, prefix: dieWithParent }, asNobody] : [asNobody]
  }
  const plain: Way = { name: 'plain', prefix: [] }
  if (!linux) return [plain]
  // initdb wants to know the name of its user, and in a container there may be none.
  return [...(isNamed() ? [] : [unshare]), { ...plain, prefix: dieWithParent }, plain]
}

function isNamed(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

async function probe(way: Way, binaries: Binaries, failures: string[]): Promise<number | undefined> {
  const [command, ...args] = [...way.prefix, binaries.postgres, '--version']
  try {
    const { stdout } = await promisify(execFile)(command ?? binaries.postgres, args, {
      ...identity(way),
      env: environment(binaries),
      timeout: 10_000,
    })
    const major = /^postgres \(PostgreSQL\) (\d+)/.exec(stdout)?.[1]
    if (major !== undefined) return Number(major)
    failures.push(`${way.name}: ${stdout.trim()}`)
  } catch (error) {
    failures.push(`${way.name}: ${firstLine(error)}`)
  }
  return undefined
}

/** Without the right to pass every folder, `nobody` needs the programs in a place that everybody can reach. */
async function reachableFor(way: Way, binaries: Binaries): Promise<Binaries> {
  if ((await probe(way, binaries, [])) !== undefined) return binaries
  const copy = '/tmp/millseal-postgres-programs'
  const found = await lstat(copy).catch(() => undefined)
  if (found !== undefined && (found.uid !== 0 || !found.isDirectory())) {
    throw new DatabaseRefused(`${copy} is in the way: it belongs to somebody else`)
  }
  if (found === undefined || (await probe(way, binariesIn(copy), [])) === undefined) {
    const fresh = `${copy}.${process.pid}`
    await mkdir(fresh, { mode: 0o755 })
    await cp(binaries.root, fresh, { recursive: true, verbatimSymlinks: true })
    await rm(copy, { recursive: true, force: true })
    await rename(fresh, copy)
  }
  return binariesIn(copy)
}

function identity(way: Way): { uid?: number; gid?: number } {
  return way.user === undefined ? {} : { uid: way.user, gid: way.user }
}

function environment(binaries: Binaries): NodeJS.ProcessEnv {
  return { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', ...binaries.environment }
}

function firstLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stderr = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : ''
  return (stderr || error.message).split('\n')[0] ?? error.name
}
