import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Binaries, binariesIn, findBundledBinaries } from '../src/adapters/database/embedded/binaries.ts'
import { ensureClusterFolder, superuser } from '../src/adapters/database/embedded/cluster-folder.ts'
import { stopLeftovers } from '../src/adapters/database/embedded/leftovers.ts'
import { Postmaster } from '../src/adapters/database/embedded/postmaster.ts'
import { choosePrivileges } from '../src/adapters/database/embedded/privileges.ts'
import { serverSettings } from '../src/adapters/database/embedded/settings.ts'
import { silentLog } from './silent-log.ts'

export interface SeparatePostgres extends AsyncDisposable {
  /** Over TCP, with a password. */
  readonly connectionString: string
  readonly major: number
  /** Ends the server program as `kill -9` does. */
  crash(): Promise<void>
  /** Ends it as `pg_ctl stop -m fast` does. */
  stop(): Promise<void>
  /** Starts it again on the same data. */
  start(): Promise<void>
}

/** A PostgreSQL as an operator runs it: the oldest supported one on this machine, else the bundled one. */
export async function startSeparatePostgres(): Promise<SeparatePostgres> {
  const home = await realpath(await mkdtemp(join(tmpdir(), `millseal-test-${process.pid}-`)))
  await using made = new AsyncDisposableStack()
  made.defer(() => rm(home, { recursive: true, force: true }))
  const privileges = await choosePrivileges(await findBinaries(home))
  if (privileges.owner !== undefined) await chown(home, privileges.owner, privileges.owner)

  const folder = join(home, 'data')
  const password = randomBytes(12).toString('hex')
  const passwordFile = join(home, 'password')
  await writeFile(passwordFile, password)
  await chmod(passwordFile, 0o644)
  const initdbArguments = ['--auth-host=scram-sha-256', `--pwfile=${passwordFile}`]
  const place = { folder, socketFolder: home }
  await ensureClusterFolder({ ...place, privileges, durable: false, initdbArguments, log: silentLog })

  const port = await freePort()
  const settings = {
    ...serverSettings({ socketFolder: home, durable: true }),
    listen_addresses: '127.0.0.1',
    port: String(port),
  }
  const begin = (): Promise<Postmaster> =>
    Postmaster.start({ ...place, privileges, settings, log: silentLog })
  let running = await begin()
  made.defer(() => running.stop())
  const owned = made.move()
  return {
    connectionString: `postgresql://${superuser}:${password}@127.0.0.1:${port}/postgres`,
    major: privileges.major,
    async crash() {
      process.kill(running.pid, 'SIGKILL')
      await running.ended
    },
    stop: () => running.stop(),
    async start() {
      await stopLeftovers(place, silentLog)
      running = await begin()
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function findBinaries(spareFolder: string): Promise<Binaries> {
  const debian = '/usr/lib/postgresql'
  const installed = (await readdir(debian).catch(() => [])).map(Number).filter((major) => major >= 15)
  const oldest = installed.toSorted((one, other) => one - other)[0]
  return oldest === undefined
    ? await findBundledBinaries(spareFolder)
    : binariesIn(join(debian, String(oldest)))
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
