import type { ClientConfig } from 'pg'
import type { Query } from '../../../ports/database/database.ts'
import { openSession } from '../../database/session.ts'
import { arrivals } from './message-publisher.ts'

/** The process that holds this advisory lock is the broker of its database. */
const lock = 4_811_733_071
/** The channel on which triggers of the database report changed records. */
export const holders = 'millseal_holders'

export type Lease = {
  /** On the connection that holds the lock: a process without the lock cannot write. */
  readonly query: Query
  release(): Promise<void>
}

type Wanted = {
  readonly connection: ClientConfig
  readonly onNotification: (channel: string, payload: string) => void
  /** Called at most once, and never after `release`. */
  readonly onLost: (error: Error) => void
}

/** Undefined if another process is the broker. */
export const acquireLease = async (wanted: Wanted): Promise<Lease | undefined> => {
  const session = await openSession({
    ...wanted,
    applicationName: 'millseal-broker',
    channels: [arrivals, holders],
  })
  const release = (): Promise<void> => session.close()
  try {
    if (await session.tryLock(lock)) return { query: session.query, release }
  } catch (error) {
    await release()
    throw error
  }
  await release()
  return undefined
}
