import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { type JsonValue, readPolicy, verifyBundle } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { openPostgres } from '../../../server/src/adapters/database/postgres.ts'
import { createFolderFiles } from '../../../server/src/adapters/files/folder.ts'
import { createPostgresFiles } from '../../../server/src/adapters/files/postgres.ts'
import { verifyLog } from '../../../server/src/adapters/ledger/embedded/verify-log.ts'
import { silentLog } from '../../../server/test/silent-log.ts'
import { mailsAbout } from '../../../server/test/mails-about.ts'
import type { Installation } from './installation.ts'
import type { Accepted } from './load.ts'
import type { Mill } from './mill.ts'

type Given = {
  readonly installation: Installation
  readonly mill: Mill
  readonly accepted: readonly Accepted[]
}

const drainMs = 600_000

/** What is missing or double, one sentence each. An empty list is the proof. */
export type Differences = string[]

/** Waits for what still runs. What never comes, the count says. */
export const drained = async ({ installation, mill, accepted }: Given): Promise<void> => {
  const until = performance.now() + drainMs
  const isDone = async (): Promise<boolean> =>
    webhooksIn(installation).size >= accepted.length &&
    (await mailsOf(installation)).size >= accepted.length * mill.addresses.length
  while (performance.now() < until && !(await isDone())) await pause(1_000)
}

/** Every certificate has a bundle that verifies offline. Needs a running server. */
export const checkBundles = async ({ mill, accepted }: Given): Promise<Differences> => {
  const [url = ''] = mill.urls
  const vkey = (await (await fetch(`${url}/ledger/test/vkey`)).text()).trim()
  const policy = readPolicy({ logs: [vkey] }, nodePrimitives)
  const wrong: Differences = []
  for (const { number, hash } of accepted) {
    const response = await fetch(`${url}/api/certificates/proof/${hash}?mode=test`)
    const bundle = (await response.json()) as JsonValue
    const { verdict, checks } = verifyBundle({ file: { kind: 'json', hash }, bundle, policy }, nodePrimitives)
    if (verdict !== 'test') wrong.push(`The bundle of ${number} says ${verdict}: ${JSON.stringify(checks)}`)
  }
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

const checkLog = async (
  { kind, dataDirs: [dataDir = ''] }: Installation,
  connection: ClientConfig,
): Promise<Differences> => {
  await using database = openPostgres({
    connection,
    applicationName: 'chaos',
    maxConnections: 1,
    log: silentLog,
  })
  const all = kind === 'embedded' ? createFolderFiles(dataDir) : createPostgresFiles(database.query)
  const { problems } = await verifyLog({ files: all.within('ledger').within('test') })
  return [...problems]
}

/** A mail that was sent twice has the same Message-ID, by which receivers know it. */
const checkMails = async ({ installation, mill, accepted }: Given): Promise<Differences> => {
  const sent = await mailsOf(installation)
  return accepted.flatMap(({ number }) =>
    mill.addresses.flatMap((address) => {
      const ids = new Set(sent.get(`${number} ${address}`)).size
      return ids === 1 ? [] : [`mails about ${number} to ${address}: ${ids}`]
    }),
  )
}

const mailsOf = ({ dataDirs }: Installation) => mailsAbout(dataDirs, /(CHAOS-\d+)/)

/** One event for each certificate; a repeated request has the id of the first. */
const checkWebhooks = ({ installation, accepted }: Given): Differences => {
  const ids = webhooksIn(installation)
  return ids.size === accepted.length ? [] : [`webhooks: ${ids.size} of ${accepted.length}`]
}

const webhooksIn = ({ receiver }: Installation): ReadonlySet<string> =>
  new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])))
