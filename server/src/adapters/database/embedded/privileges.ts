import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { cp, lstat, mkdir, rename, rm } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'
import { DatabaseRefused } from '../refused.ts'
import { type Binaries, binariesIn } from './binaries.ts'

/** How to start a PostgreSQL program, which refuses to run as root. */
export interface Privileges {
  readonly binaries: Binaries
  readonly major: number
  /** The user that must own the data folder. Undefined: the user of this process. */
  readonly owner: number | undefined
  /** The owner must be allowed to enter the parent folder. */
  readonly needsOpenPath: boolean
  readonly launch: LaunchMethod
}

interface LaunchMethod {
  readonly name: string
  readonly prefix: readonly string[]
  readonly user?: number
  readonly owner?: number
}

const nobody = 65_534
/** Shuts the database down cleanly when this process dies for any reason. Linux only. */
const dieWithParent: readonly string[] = ['setpriv', '--pdeathsig', 'INT', '--']

/** Keeps only the right to enter every folder, because the data may be below /root. */
const setpriv: LaunchMethod = {
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
/** A user namespace: inside it we run as nobody, outside it the files keep their owner. */
const unshare: LaunchMethod = {
  name: 'unshare',
  prefix: ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, ...dieWithParent],
}

/** Returns the first launch method with which `postgres` runs on this machine. */
export async function choosePrivileges(binaries: Binaries): Promise<Privileges> {
  const failures: string[] = []
  for (const launch of candidates()) {
    const chosen = launch.user === undefined ? binaries : await reachableFor(launch, binaries)
    const major = await probe(launch, chosen, failures)
    if (major !== undefined) {
      return {
        binaries: chosen,
        major,
        owner: launch.owner,
        needsOpenPath: launch.user !== undefined,
        launch,
      }
    }
  }
  throw new DatabaseRefused(`The bundled PostgreSQL does not run on this machine: ${failures.join('; ')}`)
}

/** `detached`: Ctrl-C in the terminal only stops this process, which stops the database last. */
export function spawnAs(
  privileges: Privileges,
  program: 'initdb' | 'postgres',
  args: readonly string[],
): ChildProcess {
  const { launch, binaries } = privileges
  const [command, ...rest] = [...launch.prefix, binaries[program], ...args]
  return spawn(command ?? binaries[program], rest, {
    ...identity(launch),
    env: environment(binaries),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
}

function candidates(): LaunchMethod[] {
  const linux = process.platform === 'linux'
  if (process.getuid?.() === 0) {
    const asNobody: LaunchMethod = { name: 'nobody', prefix: [], user: nobody, owner: nobody }
    return linux ? [setpriv, unshare, { ...asNobody, prefix: dieWithParent }, asNobody] : [asNobody]
  }
  const plain: LaunchMethod = { name: 'plain', prefix: [] }
  if (!linux) return [plain]
  // initdb needs the name of its user, and in a container there may be none.
  return [...(isNamed() ? [] : [unshare]), { ...plain, prefix: dieWithParent }, plain]
}

function isNamed(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

async function probe(
  launch: LaunchMethod,
  binaries: Binaries,
  failures: string[],
): Promise<number | undefined> {
  const [command, ...args] = [...launch.prefix, binaries.postgres, '--version']
  try {
    const { stdout } = await promisify(execFile)(command ?? binaries.postgres, args, {
      ...identity(launch),
      env: environment(binaries),
      timeout: 10_000,
    })
    const major = /^postgres \(PostgreSQL\) (\d+)/.exec(stdout)?.[1]
    if (major !== undefined) return Number(major)
    failures.push(`${launch.name}: ${stdout.trim()}`)
  } catch (error) {
    failures.push(`${launch.name}: ${firstLine(error)}`)
  }
  return undefined
}

/** Without the right to enter every folder, `nobody` needs the programs in a folder that is accessible to all users. */
async function reachableFor(launch: LaunchMethod, binaries: Binaries): Promise<Binaries> {
  if ((await probe(launch, binaries, [])) !== undefined) return binaries
  const copy = '/tmp/millseal-postgres-programs'
  const found = await lstat(copy).catch(() => undefined)
  if (found !== undefined && (found.uid !== 0 || !found.isDirectory())) {
    throw new DatabaseRefused(`${copy} belongs to another user: delete it`)
  }
  if (found === undefined || (await probe(launch, binariesIn(copy), [])) === undefined) {
    const fresh = `${copy}.${process.pid}`
    await mkdir(fresh, { mode: 0o755 })
    await cp(binaries.root, fresh, { recursive: true, verbatimSymlinks: true })
    await rm(copy, { recursive: true, force: true })
    await rename(fresh, copy)
  }
  return binariesIn(copy)
}

function identity(launch: LaunchMethod): { uid?: number; gid?: number } {
  return launch.user === undefined ? {} : { uid: launch.user, gid: launch.user }
}

function environment(binaries: Binaries): NodeJS.ProcessEnv {
  return { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', ...binaries.environment }
}

function firstLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stderr = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : ''
  return (stderr || error.message).split('\n')[0] ?? error.name
}
