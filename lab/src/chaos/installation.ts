import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchEmbedded } from '../../../server/src/adapters/database/embedded/launcher.ts'
import { createFolderFiles } from '../../../server/src/adapters/files/folder.ts'
import { createPostgresFiles } from '../../../server/src/adapters/files/postgres.ts'
import { mountSmallDisk, type SmallDisk } from '../../../server/test/faulty-disk.ts'
import { mailsAbout } from '../../../server/test/mails-about.ts'
import { startReceiver } from '../../../server/test/receiver.ts'
import { startSeparatePostgres } from '../../../server/test/separate-postgres.ts'
import { type Restartable, restartable } from '../../../server/test/restartable.ts'
import { freePort } from '../../../server/test/server-process.ts'
import { silentLog } from '../../../server/test/silent-log.ts'
import { openSilentNetwork } from '../../../server/test/silent-network.ts'
import { makeTemporaryFolder } from '../../../server/test/temporary-folder.ts'
import type { Place } from '../faults/count.ts'

export type Installation = AsyncDisposable &
  Place & {
    readonly kind: Kind
    /** Of the processes that answer requests. */
    readonly apiUrls: readonly string[]
    readonly environment: Readonly<Record<string, string>>
    readonly processes: readonly Restartable[]
    readonly receiver: Awaited<ReturnType<typeof startReceiver>>
    /** Only where a disk of its own can be mounted. */
    readonly disk?: SmallDisk
    readonly database: {
      crash(): Promise<void>
      /** Nothing to do where the server starts its database itself. */
      start(): Promise<void>
    }
    readonly network?: { fallSilent(): void; recover(): void }
  }

export const kinds = ['embedded', 'separate'] as const
export type Kind = (typeof kinds)[number]

const diskMegabytes = 2_048
const mailSubject = /(CHAOS-\d+)/

/** One process with its own database, on a disk that can be full. */
const openEmbedded = async (canMount: boolean): Promise<Installation> => {
  await using opened = new AsyncDisposableStack()
  const disk = canMount ? opened.use(await mountSmallDisk(diskMegabytes)) : undefined
  const dataDir = join(disk?.path ?? opened.use(await makeTemporaryFolder()).path, 'data')
  const receiver = opened.use(await startReceiver())
  const port = await freePort()
  const environment = settings({ dataDir, port })
  const server = restartable(environment, port)
  opened.defer(() => server.kill())
  const postmaster = async (): Promise<number> => {
    const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
    return Number(file.split('\n', 1)[0])
  }
  const owned = opened.move()
  return {
    kind: 'embedded',
    url: server.url,
    apiUrls: [server.url],
    readMails: () => mailsAbout([dataDir], mailSubject),
    openFiles: () => createFolderFiles(dataDir),
    environment,
    processes: [server],
    receiver,
    disk,
    database: {
      crash: async () => void process.kill(await postmaster(), 'SIGKILL'),
      start: async () => {},
    },
    openDatabase: () => launchEmbedded({ dataDir, durable: true, log: silentLog }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Two processes that answer and two workers, as on four machines, on one database behind a network that can be cut. */
const openSeparate = async (): Promise<Installation> => {
  await using opened = new AsyncDisposableStack()
  const { path: folder } = opened.use(await makeTemporaryFolder())
  const receiver = opened.use(await startReceiver())
  const postgres = opened.use(await startSeparatePostgres())
  const { port: databasePort, username, password, pathname } = new URL(postgres.connectionString)
  const network = opened.use(
    await openSilentNetwork({
      host: '127.0.0.1',
      port: Number(databasePort),
      user: `${username}:${password}`,
      database: pathname.slice(1),
    }),
  )
  const port = await freePort()
  const dataDirs = ['1', '2', '3', '4'].map((name) => join(folder, name))
  const environments = dataDirs.map((dataDir, at) => ({
    ...settings({ dataDir, port }),
    DATABASE_URL: network.databaseUrl,
    MILLSEAL_ROLES: at < 2 ? 'api,broker' : 'worker',
  }))
  const [environment = {}] = environments
  const processes = await Promise.all(
    environments.map(async (one, at) => restartable(one, at === 0 ? port : await freePort())),
  )
  for (const one of processes) opened.defer(() => one.kill())
  const owned = opened.move()
  return {
    kind: 'separate',
    url: `http://127.0.0.1:${port}`,
    apiUrls: processes.filter(({ isApi }) => isApi).map(({ url }) => url),
    readMails: () => mailsAbout(dataDirs, mailSubject),
    openFiles: createPostgresFiles,
    environment,
    processes,
    receiver,
    database: { crash: () => postgres.crash(), start: () => postgres.start() },
    network,
    openDatabase: async () => ({
      connection: { connectionString: postgres.connectionString },
      async [Symbol.asyncDispose]() {},
    }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const settings = (place: { readonly dataDir: string; readonly port: number }): Record<string, string> => ({
  MILLSEAL_PORT: String(place.port),
  MILLSEAL_DATA_DIR: place.dataDir,
  MILLSEAL_KNOWN_CHECKPOINTS: join(place.dataDir, 'known'),
  MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
  MILLSEAL_PUBLIC_URL: `http://localhost:${place.port}`,
  MILLSEAL_VIES: 'off',
  MILLSEAL_WEBHOOK_ALLOW: '127.0.0.0/8',
  // The company of the run is not reviewed, and has more certificates than one of a person on a day.
  MILLSEAL_UNVERIFIED_CERTIFICATES_PER_DAY: '0',
  MILLSEAL_MAILS_PER_DAY: '0',
  MILLSEAL_UNVERIFIED_DELIVERIES_PER_DAY: '0',
})

export const openInstallation = (kind: Kind, { canMount }: { readonly canMount: boolean }) =>
  kind === 'embedded' ? openEmbedded(canMount) : openSeparate()
