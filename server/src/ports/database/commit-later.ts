import { sql } from 'kysely'

/**
 * Select this in a statement, and its transaction commits without waiting for the disk. A crash of the database may then
 * lose the transaction and later ones, but no earlier one. Use it for work that is found and repeated after a loss and
 * that was not reported to anyone.
 */
export const commitLater = sql<string>`set_config('synchronous_commit', 'off', true)`
