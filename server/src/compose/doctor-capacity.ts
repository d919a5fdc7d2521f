import { availableParallelism, totalmem } from 'node:os'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { processesOf } from '../config/process-settings.ts'
import { writerApplication } from '../adapters/ledger/embedded/writer-lock.ts'
import type { Database } from '../ports/database/database.ts'
import { passed, type Result, warning } from './doctor-finding.ts'
import { connectionsBesidePool } from './processes/shared-process.ts'

const mebibyte = 2 ** 20
/** What they take without work, with PostgreSQL: docs/operating.md has the measurement. */
const firstMebibytes = 274
const furtherMebibytes = 148

export type Machine = { readonly cores: number; readonly memory: number }

const thisMachine = (): Machine => ({
  cores: availableParallelism(),
  // Within a container, its limit; without one it says a number that no machine has.
  memory: Math.min(totalmem(), process.constrainedMemory() || Infinity),
})

/** Whether the machine has cores and memory for the processes of a server. */
export const checkProcesses = (config: Config, { cores, memory }: Machine = thisMachine()): Result => {
  const processes = processesOf(config)
  const [needed, found] = [firstMebibytes + (processes - 1) * furtherMebibytes, Math.floor(memory / mebibyte)]
  const says = `${processes} with ${cores} cores and ${found} MiB of memory (MILLSEAL_PROCESSES)`
  if (processes > cores) return warning(`${says}: more processes than cores gain nothing`)
  return found < needed ? warning(`${says}: they take ${needed} MiB without any work`) : passed(says)
}

/** Whether the database allows the connections of this server, and those of all processes that run, if they have its settings. */
export const checkConnections = async (config: Config, { query }: Database): Promise<Result> => {
  const { rows } = await sql<{ most: number; ofRole: number; running: number }>`
    select current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int as most,
      (select rolconnlimit from pg_roles where rolname = current_user) as of_role,
      (select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = ${writerApplication('live')}) as running`.execute(
    query,
  )
  const [{ most, ofRole, running } = { most: 0, ofRole: -1, running: 0 }] = rows
  const allowed = ofRole < 0 ? most : Math.min(most, ofRole)
  const own = processesOf(config)
  const opened = Math.max(own, running) * (config.databaseConnections + connectionsBesidePool)
  const who = running > own ? `The ${running} processes that run open` : 'This server opens'
  const says = `${who} up to ${opened} of the ${allowed} connections that PostgreSQL allows`
  return opened > allowed
    ? warning(`${says}: set MILLSEAL_DATABASE_CONNECTIONS lower or max_connections higher`)
    : passed(says)
}
