import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { maxConnections, openDurableDatabase, writeEvent } from '../embedded-database.ts'
import { repeat } from '../repeat.ts'
import type { Measurement, Row } from '../row.ts'
import { inTurn, medianOf, ratioRow } from '../statistics.ts'

const ms = 900
const pageBytes = 8_192

/** begin, one insert, commit: what is acknowledged is on disk. The disk alone is measured beside it. */
export const durableWrites: Measurement = {
  name: 'durable-writes',
  async measure({ folder }) {
    const dataDir = await folder('durable')
    await using database = await openDurableDatabase(dataDir)
    await using file = await open(join(dataDir, 'probe'), 'w')
    const page = Buffer.alloc(pageBytes, 1)
    const flush = async (): Promise<void> => {
      await file.write(page, 0, pageBytes, 0)
      await file.datasync()
    }
    const write = () => database.transaction(writeEvent)
    const rounds = await inTurn({
      disk: () => repeat(flush, { concurrent: 1, ms: 500 }),
      one: () => repeat(write, { concurrent: 1, ms }),
      eight: () => repeat(write, { concurrent: 8, ms }),
      many: () => repeat(write, { concurrent: 32, ms }),
    })
    const rowsOf = (how: 'one' | 'eight' | 'many', name: string): Row[] => [
      {
        what: `transactions, ${name}`,
        value: medianOf(rounds, (round) => round[how].perSecond),
        unit: '/s',
        ...(how === 'many' ? { note: `${maxConnections} connections` } : {}),
      },
      { what: '… p99', value: medianOf(rounds, (round) => round[how].p99Ms), unit: 'ms' },
    ]
    return [
      {
        what: 'the disk alone: write 8 KiB, fdatasync',
        value: medianOf(rounds, (round) => round.disk.perSecond),
        unit: '/s',
      },
      ...rowsOf('one', 'one at a time'),
      ...rowsOf('eight', '8 at once'),
      ...rowsOf('many', '32 at once'),
      ratioRow('one at a time : the disk alone', rounds, ({ one, disk }) => one.perSecond / disk.perSecond),
      ratioRow('32 at once : one at a time', rounds, ({ many, one }) => many.perSecond / one.perSecond),
    ]
  },
}
