import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, createClient } from '@millseal/sdk'
import { compose, type Server } from '../src/compose.ts'
import { type Config, readConfig } from '../src/config.ts'
import { createLog } from '../src/lib/log.ts'
import type { Database } from '../src/ports/database/database.ts'
import { openTestDatabase } from './database.ts'
import { eventually, generousMs } from './eventually.ts'
import { type MovableClock, movableClock } from './movable-clock.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export interface TestServer extends AsyncDisposable {
  readonly composed: Server
  readonly clock: MovableClock
  readonly url: string
  /** The name that a person of this file has here: others of that name may have come before. */
  nameOf(name: string): string
  /** Its settings. */
  readonly config: Config
  /** The log of the server so far. */
  readonly log: readonly string[]
  /** A client of the server with this token, or without one. */
  client(accessToken?: string): Client
  /** Mails sent to this address, oldest first, as raw messages. */
  mailsTo(address: string, atLeast: number, about?: RegExp): Promise<string[]>
}

export type TestServerOptions = {
  readonly environment?: Readonly<Record<string, string>>
  readonly databaseUrl?: string
}

/**
 * The whole product as an operator starts it, with the same compose.ts. It may be one that other files of this process have
 * used before, with their people, companies and logs, and with a clock that they moved on: a test that needs it empty, or
 * with other settings, calls `startOwnServer`.
 */
export const startTestServer = (): Promise<TestServer> =>
  process.env['MILLSEAL_TEST_SERVER'] === 'shared' ? shareServer() : startOwnServer()

let shared: Promise<TestServer> | undefined
let files = 0

const shareServer = async (): Promise<TestServer> => {
  if (shared === undefined) {
    shared = startOwnServer()
    // The runner disconnects from this process after its last file.
    process.once('disconnect', () => void shared?.then((server) => server[Symbol.asyncDispose]()))
  }
  const server = await shared
  files += 1
  const suffix = `-${files}`
  const firstLine = server.log.length
  return {
    ...server,
    nameOf: (name) => `${name}${suffix}`,
    get log() {
      return server.log.slice(firstLine)
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

/** A server on a new database and folder. */
export const startOwnServer = async (options: TestServerOptions = {}): Promise<TestServer> => {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await makeTemporaryFolder())
  const databaseUrl = options.databaseUrl ?? addressOf(opened.use(await openTestDatabase()))
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    MILLSEAL_PORT: '0',
    MILLSEAL_MQTT_PORT: '0',
    MILLSEAL_MQTTS_PORT: 'off',
    MILLSEAL_DATA_DIR: folder.path,
    MILLSEAL_KNOWN_CHECKPOINTS: join(folder.path, 'known'),
    MILLSEAL_RATE_LIMIT: '0',
    MILLSEAL_DRAIN_MS: '0',
    // Servers that share a database share their master key.
    MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
    MILLSEAL_VIES: 'off',
    MILLSEAL_SAMPLES: 'off',
    MILLSEAL_OPERATOR_MFA: 'off',
    ...options.environment,
  })
  const clock = movableClock()
  const log: string[] = []
  const server = await compose(config, {
    clock,
    connectTimeoutMs: generousMs,
    log: createLog('debug', { write: (line: string) => void log.push(line) }),
  })
  opened.defer(() => server.stop())
  await server.start()
  const stack = opened.move()
  return {
    composed: server,
    clock,
    url: server.publicUrl(),
    nameOf: (name) => name,
    config,
    log,
    client: (accessToken) =>
      createClient({ baseUrl: server.publicUrl(), ...(accessToken === undefined ? {} : { accessToken }) }),
    mailsTo: (address, atLeast, about = /^/) =>
      waitForMails(join(config.dataDir, 'mails'), { address, atLeast, about }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export const addressOf = ({ connection }: Pick<Database, 'connection'>): string => {
  if (connection.connectionString === undefined) throw new Error('The test database has no address')
  return connection.connectionString
}

/** Waits for the mails, because a background job sends them. */
export const waitForMails = async (
  folder: string,
  { address, atLeast, about }: { address: string; atLeast: number; about: RegExp },
): Promise<string[]> => {
  const find = async (): Promise<string[]> => {
    const names = await readdir(folder).catch(() => [])
    const all = await Promise.all(
      names
        .filter((name) => name.endsWith('.eml'))
        .toSorted()
        .map((name) => readFile(join(folder, name), 'utf8')),
    )
    return all.filter(
      (mail) =>
        about.test(mail) && mail.split('\n').some((line) => line.startsWith('To:') && line.includes(address)),
    )
  }
  let found: string[] = []
  await eventually(async () => (found = await find()).length >= atLeast, {
    what: () => `${found.length} of ${atLeast} mails to ${address}`,
    everyMs: 20,
  })
  return found
}

/** The link in a mail: as it is in a saved one, and in a sent one without quoted-printable line breaks. */
export const linkIn = (mail: string): URL => {
  const isSaved = mail.includes('Content-Transfer-Encoding: 8bit')
  const text = isSaved ? mail : mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  if (link === undefined) throw new Error('There is no link in the mail')
  return new URL(link)
}
