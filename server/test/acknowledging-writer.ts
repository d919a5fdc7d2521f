// Writes rows and reports the id of each acknowledged one. Crash tests start and kill it.
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { openEmbedded } from '../src/adapters/database/embedded/embedded.ts'
import { DatabaseUnavailable } from '../src/ports/database/database.ts'
import { silentLog } from './silent-log.ts'

const started = performance.now()
const [dataDir = '', writers = '4'] = process.argv.slice(2)
const tell = (line: string): number => writeSync(1, `${line}\n`)

const database = await openEmbedded({
  dataDir,
  applicationName: 'writer',
  maxConnections: 8,
  log: silentLog,
}).catch((error: Error) => {
  tell(`refused ${error.message}`)
  process.exit(1)
})
await sql`create table if not exists written (id uuid primary key, changed boolean not null)`.execute(
  database.query,
)
tell(`ready ${Math.round(performance.now() - started)}`)
await Promise.all(Array.from({ length: Number(writers) }, write))
await new Promise<never>(() => setInterval(() => {}, 60_000))

async function write(): Promise<never> {
  for (;;) {
    const id = randomUUID()
    try {
      await database.transaction(async (tx) => {
        await sql`insert into written values (${id}, false)`.execute(tx)
        await sql`update written set changed = true where id = ${id}`.execute(tx)
      })
      tell(`wrote ${id}`)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
      await delay(10)
    }
  }
}
