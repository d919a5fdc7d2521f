import type { Mode } from '@millseal/contract'
import type { DatabaseSession } from '../../database/session.ts'

/** No other software uses this first number of a lock ("mllg"). */
const lockClass = 0x6d_6c_6c_67
const lockOf: Readonly<Record<Mode, number>> = { test: 1, live: 2 }

/** Of the one connection that every process has for each mode. */
export const writerApplication = (mode: Mode): string => `millseal ledger ${mode}`

/** Its holder may write the log of this mode. */
export const tryWriterLock = (session: DatabaseSession, mode: Mode): Promise<boolean> =>
  session.tryLock(lockClass, lockOf[mode])

/** The files are the durable copy, and the index is rebuilt from them. It is only asked for single rows. */
export const writerSetup = 'set synchronous_commit = off; set enable_seqscan = off'
