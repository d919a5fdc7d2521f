import { sql } from 'kysely'

/**
 * Among the results of a statement: its transaction does not wait for the disk. A crash of the
 * database may undo it, with all that came after it and nothing that came before. For what is found undone and done
 * again, and that nobody was told of.
 */
export const commitLater = sql<string>`set_config('synchronous_commit', 'off', true)`
