import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Loop, startLoop } from '../../lib/loop.ts'
import { within } from '../../lib/within.ts'
import { systemClock } from '../../ports/clock/clock.ts'
import type { Database } from '../../ports/database/database.ts'
import type { WalArchive } from './archive.ts'

const idleMs = 1_000
const logEveryMs = 30_000
/** What is not archived then, the next start archives. */
const stopDeadlineMs = 15_000
const failure = 'the write-ahead log is not archived; it waits in the data folder'

type Shipping = { readonly spool: string; readonly archive: WalArchive; readonly log: Logger }

/** The same database, whose finished segments are moved to the archive until it has stopped. */
export const withShipping = (database: Database, shipping: Shipping): Database => {
  const loop = startShipping(shipping)
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      // PostgreSQL archives its last segment while it stops.
      await database[Symbol.asyncDispose]()
      await within(stopDeadlineMs, shipRest(shipping, loop))
    },
  }
}

const shipRest = async (shipping: Shipping, loop: Loop): Promise<void> => {
  await loop[Symbol.asyncDispose]()
  await shipAll(shipping).catch((error: unknown) => shipping.log.error({ err: error }, failure))
}

/** Oldest first. One that failed is tried again. */
const startShipping = ({ spool, archive, log }: Shipping): Loop => {
  let loggedAt = Number.NEGATIVE_INFINITY
  const pass = async (): Promise<boolean> => {
    try {
      await shipAll({ spool, archive })
    } catch (error) {
      if (performance.now() - loggedAt > logEveryMs) {
        loggedAt = performance.now()
        log.error({ err: error }, failure)
      }
    }
    return false
  }
  return startLoop({ name: 'archiving the write-ahead log', pass, idleMs, log })
}

/** Moves all finished segments from the spool to the archive. */
const shipAll = async ({ spool, archive }: Omit<Shipping, 'log'>): Promise<void> => {
  for (const name of await waitingIn(spool)) {
    const path = join(spool, name)
    await archive.putSegment(name, await readFile(path))
    await rm(path)
  }
}

/** How long the oldest segment has waited. 0 if none waits. */
export const longestWait = async (spool: string): Promise<number> => {
  const [oldest] = await waitingIn(spool)
  const found = oldest === undefined ? undefined : await stat(join(spool, oldest)).catch(() => undefined)
  return found === undefined ? 0 : Math.max(0, (systemClock.now() - found.mtimeMs) / 1_000)
}

const waitingIn = async (spool: string): Promise<readonly string[]> => {
  const names = await readdir(spool).catch((): string[] => [])
  return names.filter((name) => !name.startsWith('.')).toSorted()
}
