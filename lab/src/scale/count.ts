import { Client } from 'pg'
import { checkBundles, checkRecords, type Differences, drained } from '../faults/count.ts'
import type { Mill } from '../faults/mill.ts'
import type { Accepted } from '../faults/traffic.ts'
import { checkGrowth } from './checkpoints.ts'
import type { Installation } from './installation.ts'
import type { ServiceManager } from './service-manager.ts'
import type { Subscriber } from './subscriber.ts'

type Counted = {
  readonly installation: Installation
  readonly mill: Mill
  readonly accepted: readonly Accepted[]
  readonly subscriber: Pick<Subscriber, 'firstMs'>
  /** Kept checkpoints. */
  readonly notes: readonly string[]
}

/** Waits until the servers have recovered from the last fault, and for what still runs. */
export const countWhileRunning = async (
  given: Counted & { readonly manager: ServiceManager },
): Promise<Differences> => {
  const { installation, manager, accepted, subscriber, notes } = given
  await manager.allReady()
  await drained(given, () => subscriber.firstMs.size >= accepted.length)
  const grown = await checkGrowth(installation.url, notes)
  return [...grown, ...(await checkBundles(given))]
}

/** Needs the servers to have ended. */
export const countAfterwards = async (given: Counted): Promise<Differences> => [
  ...checkMessages(given),
  ...(await checkRecords(given)),
]

/** One message about each certificate, and about nothing else. */
const checkMessages = ({ accepted, subscriber: { firstMs } }: Counted): Differences => {
  const known = new Set(accepted.map(({ number }) => number))
  const missing = accepted.filter(({ number }) => !firstMs.has(number))
  const foreign = [...firstMs.keys()].filter((number) => !known.has(number))
  return [
    ...missing.map(({ number }) => `messages about ${number}: 0`),
    ...foreign.map((number) => `messages about ${number}, which was not accepted`),
  ]
}

/** When the log committed the entry of each certificate, by the hash of the certificate. */
export const readRecordedMs = async ({
  openDatabase,
}: Installation): Promise<ReadonlyMap<string, number>> => {
  await using database = await openDatabase()
  const client = new Client(database.connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ hash: string; at: Date }>(
      `select encode(json_hash, 'hex') as hash, committed_at as at from ledger_entries join ledger_blocks using (mode, height)
        where mode = 'test' and json_hash is not null`,
    )
    return new Map(rows.map(({ hash, at }) => [hash, at.getTime()]))
  } finally {
    await client.end()
  }
}
