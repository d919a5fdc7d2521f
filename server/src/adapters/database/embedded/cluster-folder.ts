import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, lchown, lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { DatabaseLog } from '../postgres.ts'
import { DatabaseRefused } from '../refused.ts'
import { type ClusterPlace, stopLeftovers } from './leftovers.ts'
import { type Privileges, spawnAs } from './privileges.ts'
import { startDeadline } from '../../../lib/deadline.ts'

export const superuser = 'millseal'

const initdbTimeoutMs = 300_000

export interface ClusterFolderOptions extends ClusterPlace {
  readonly privileges: Privileges
  readonly durable: boolean
  readonly initdbArguments?: readonly string[]
  readonly log: DatabaseLog
}

/**
 * Ensures that `folder` contains a complete cluster of the right version. The folder gets its name only when it is complete,
 * so a crash leaves at most a temporary folder, which the next start deletes. The caller holds the lock.
 */
export async function ensureClusterFolder(options: ClusterFolderOptions): Promise<void> {
  const { folder, privileges, log } = options
  await removeIncomplete(options, log)
  const found = await lstat(folder).catch(() => undefined)
  if (found === undefined) return await create(options)
  await assertVersion(folder, privileges.major)
  await stopLeftovers(options, log)
  await assertOwner(folder, found.uid, privileges.owner)
}

async function create({
  folder,
  privileges,
  durable,
  initdbArguments = [],
  log,
}: ClusterFolderOptions): Promise<void> {
  const started = performance.now()
  const fresh = `${folder}.new-${randomBytes(4).toString('hex')}`
  await mkdir(fresh, { mode: 0o700 })
  if (privileges.owner !== undefined) await chown(fresh, privileges.owner, privileges.owner)
  const args = [
    `--pgdata=${fresh}`,
    `--username=${superuser}`,
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
    ...textOrder(privileges.major),
    ...(durable ? [] : ['--no-sync']),
    ...initdbArguments,
  ]
  try {
    await runInitdb(privileges, args)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    throw error
  }
  await rename(fresh, folder)
  if (durable) await syncFolder(dirname(folder))
  log.info(
    { folder, ms: Math.round(performance.now() - started) },
    `created a database of PostgreSQL ${privileges.major}`,
  )
}

/** Text is sorted by code point on every system, and case is folded as in Unicode. */
function textOrder(major: number): string[] {
  if (major < 17) return ['--encoding=UTF8', '--locale=C.UTF-8']
  return ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
}

async function runInitdb(privileges: Privileges, args: readonly string[]): Promise<void> {
  const child = spawnAs(privileges, 'initdb', args)
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    complaint += chunk
  })
  using _deadline = startDeadline(initdbTimeoutMs, () => child.kill('SIGKILL'))
  const [status, signal]: unknown[] = await once(child, 'close')
  if (status === 0) return
  const reason =
    complaint.split('\n').find((line) => /error|FATAL|could not/.test(line)) ??
    `status ${String(status ?? signal)}`
  throw new DatabaseRefused(`The database could not be created: ${reason.trim()}`)
}

async function removeIncomplete({ folder, socketFolder }: ClusterPlace, log: DatabaseLog): Promise<void> {
  const parent = dirname(folder)
  const names = (await readdir(parent)).filter((name) => name.startsWith(`${basename(folder)}.new-`))
  for (const name of names) {
    const path = join(parent, name)
    await stopLeftovers({ folder: path, socketFolder }, log)
    await rm(path, { recursive: true, force: true })
    log.warn({ folder: path }, 'deleted an incomplete database of an earlier start')
  }
}

async function assertVersion(folder: string, major: number): Promise<void> {
  const found = (await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (found === String(major)) return
  throw new DatabaseRefused(
    found === ''
      ? `${folder} is not a database: move it away, or choose another data folder`
      : `${folder} was created by PostgreSQL ${found} and this is PostgreSQL ${major}: dump it with ${found} and restore it into a new data folder`,
  )
}

/** The user that PostgreSQL runs as can change between starts, and PostgreSQL must own its files. */
async function assertOwner(folder: string, found: number, owner: number | undefined): Promise<void> {
  const own = process.getuid?.()
  const wanted = owner ?? own
  if (wanted === undefined || found === wanted) return
  if (own !== 0) {
    throw new DatabaseRefused(
      `${folder} belongs to user ${found} and this is user ${own}: run millseal as the same user as before, or as root`,
    )
  }
  for (const name of await readdir(folder, { recursive: true }))
    await lchown(join(folder, name), wanted, wanted)
  await chown(folder, wanted, wanted)
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path)
  await folder.sync()
}
