import type { ClientConfig } from 'pg'
import { silentLog } from '../../../test/silent-log.ts'
import type { JobKind } from '../../ports/jobs/jobs.ts'
import { openPostgres } from '../database/postgres.ts'
import { createPgBossJobs } from './pg-boss.ts'

/** A worker of its own process, to be killed: begins each job of `kind`, tells its id, and never ends it. */
export type Begin = { readonly connection: ClientConfig; readonly kind: JobKind<{ text: string }> }

const begin = async ({ connection, kind }: Begin): Promise<void> => {
  const database = openPostgres({ connection, applicationName: 'worker', maxConnections: 2, log: silentLog })
  const jobs = createPgBossJobs({ database, log: silentLog })
  jobs.handle(kind, async ({ id }) => {
    process.send?.(id)
    await new Promise(() => {})
  })
  await jobs.start({ work: true })
}

process.once('message', (message: Begin) => void begin(message))
