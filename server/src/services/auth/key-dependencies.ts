import type { Clock } from '../../ports/clock/clock.ts'
import type { Database } from '../../ports/database/database.ts'
import type { Keystore } from '../../ports/keystore/keystore.ts'

/** What it takes to read and encrypt stored keys. The commands of an operator have no more than this. */
export type KeyDependencies = {
  readonly database: Database
  readonly keystore: Keystore
  readonly clock: Clock
}
