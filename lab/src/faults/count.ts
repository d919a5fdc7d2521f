import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { type JsonValue, readPolicy, verifyBundle } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { openPostgres } from '../../../server/src/adapters/database/postgres.ts'
import { verifyLog } from '../../../server/src/adapters/ledger/embedded/verify-log.ts'
import type { Query } from '../../../server/src/ports/database/database.ts'
import type { Files } from '../../../server/src/ports/files/files.ts'
import type { Received } from '../../../server/test/receiver.ts'
import { silentLog } from '../../../server/test/silent-log.ts'
import type { Mill } from './mill.ts'
import type { Accepted } from './traffic.ts'

/** Where the effects of notarizations are found. */
export type Place = {
  readonly receiver: { readonly received: readonly Received[] }
  /** The address of a server. */
  readonly url: string
  /** The Message-IDs of the mails by number of the certificate and receiver: `CHAOS-7 mill@example.com`. */
  readMails(): Promise<ReadonlyMap<string, readonly string[]>>
  /** The database after all processes have ended. */
  openDatabase(): Promise<AsyncDisposable & { readonly connection: ClientConfig }>
  /** The files that all processes share. */
  openFiles(query: Query): Files
}

export type Given = {
  readonly installation: Place
  readonly mill: Mill
  readonly accepted: readonly Accepted[]
}

const drainMs = 600_000
const bundleLanes = 4

/** What is missing or double, one sentence each. An empty list is the proof. */
export type Differences = string[]

/** Waits for what still runs. What never comes, the count says. */
export const drained = async (
  { installation, mill, accepted }: Given,
  isMoreDone = () => true,
): Promise<void> => {
  const until = performance.now() + drainMs
  const isDone = async (): Promise<boolean> =>
    isMoreDone() &&
    webhooksIn(installation).size >= accepted.length &&
    (await installation.readMails()).size >= accepted.length * mill.addresses.length
  while (performance.now() < until && !(await isDone())) await pause(1_000)
}

/** Every certificate has a bundle that verifies offline. Needs a running server. */
export const checkBundles = async ({ installation: { url }, accepted }: Given): Promise<Differences> => {
  const vkey = (await (await fetch(`${url}/ledger/test/vkey`)).text()).trim()
  const policy = readPolicy({ logs: [vkey] }, nodePrimitives)
  const wrong: Differences = []
  const waiting = accepted.values()
  const lane = async (): Promise<void> => {
    for (const { number, hash } of waiting) {
      const response = await fetch(`${url}/api/certificates/proof/${hash}?mode=test`)
      const bundle = (await response.json()) as JsonValue
      const { verdict, checks } = verifyBundle(
        { file: { kind: 'json', hash }, bundle, policy, now: new Date() },
        nodePrimitives,
      )
      if (verdict !== 'test') wrong.push(`The bundle of ${number} says ${verdict}: ${JSON.stringify(checks)}`)
    }
  }
  await Promise.all(Array.from({ length: bundleLanes }, lane))
  return wrong
}

/** One entry, one event of each kind, one webhook and one mail to each receiver. Needs the servers to have ended. */
export const checkRecords = async (given: Given): Promise<Differences> => {
  const { installation, accepted } = given
  await using database = await installation.openDatabase()
  const client = new Client(database.connection)
  await client.connect()
  try {
    const count = async (what: string, statement: string): Promise<Differences> => {
      const found = (await client.query(statement)).rowCount ?? 0
      return found === accepted.length ? [] : [`${what}: ${found} of ${accepted.length}`]
    }
    return [
      ...(await count('certificates', 'select id from certificates')),
      ...(await count('notarized', "select id from certificates where state = 'notarized'")),
      ...(await count('transactions', 'select distinct transaction_id from certificates')),
      ...(await count('entries', 'select 1 from ledger_entries where json_hash is not null')),
      ...(await count('events notarize_one', "select 1 from outbox where action = 'notarize_one'")),
      ...(await unlikeEvents(client, accepted.length)),
      ...(await checkLog(installation, database.connection)),
      ...(await checkMails(given)),
      ...checkWebhooks(given),
    ]
  } finally {
    await client.end()
  }
}

/** Events that a notarization causes besides `notarize_one` come once per certificate too. */
const unlikeEvents = async (client: Client, expected: number): Promise<Differences> => {
  const { rows } = await client.query<{ topic: string; many: number }>(
    `select concat_ws('/', resource, action) as topic, count(*)::int as many from outbox
      group by 1 having count(*) > 10 and count(*) <> $1`,
    [expected],
  )
  return rows.map(({ topic, many }) => `events ${topic}: ${many} of ${expected}`)
}

const checkLog = async ({ openFiles }: Place, connection: ClientConfig): Promise<Differences> => {
  await using database = openPostgres({
    connection,
    applicationName: 'count',
    maxConnections: 1,
    log: silentLog,
  })
  const { problems } = await verifyLog({ files: openFiles(database.query).within('ledger').within('test') })
  return [...problems]
}

/** A mail that was sent twice has the same Message-ID, by which receivers know it. */
const checkMails = async ({ installation, mill, accepted }: Given): Promise<Differences> => {
  const sent = await installation.readMails()
  return accepted.flatMap(({ number }) =>
    mill.addresses.flatMap((address) => {
      const ids = new Set(sent.get(`${number} ${address}`)).size
      return ids === 1 ? [] : [`mails about ${number} to ${address}: ${ids}`]
    }),
  )
}

/** One event for each certificate; a repeated request has the id of the first. */
const checkWebhooks = ({ installation, accepted }: Given): Differences => {
  const ids = webhooksIn(installation)
  return ids.size === accepted.length ? [] : [`webhooks: ${ids.size} of ${accepted.length}`]
}

const webhooksIn = ({ receiver }: Place): ReadonlySet<string> =>
  new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])))
