import { randomUUID } from 'node:crypto'
import { maxConnections, openDisk, openDurableDatabase, writeEvent } from '../durable.ts'
import { alternate, repeat } from '../rounds.ts'
import type { Bench } from '../row.ts'

const ms = 900
const companyId = randomUUID()

/** begin, insert one event, commit: what is acknowledged is on disk. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using database = await openDurableDatabase(folder)
  await using disk = await openDisk(folder)
  const write = () => database.transaction((tx) => writeEvent(tx, companyId))
  const { rounds, median } = await alternate({
    disk: () => disk.flush(),
    one: () => repeat(write, { concurrent: 1, ms }),
    eight: () => repeat(write, { concurrent: 8, ms }),
    many: () => repeat(write, { concurrent: 32, ms }),
  })
  report.rate('the disk alone: write 8 KiB, fdatasync', median.disk)
  report.rate('durable transactions with one insert, one at a time', median.one)
  report.value('… p99', median.one.p99Ms, 'ms')
  report.rate('… 8 at once', median.eight)
  report.value('… p99', median.eight.p99Ms, 'ms')
  report.rate('… 32 at once', median.many, { note: `${maxConnections} connections` })
  report.value('… p99', median.many.p99Ms, 'ms')
  const toDisk = rounds.map(({ one, disk: alone }) => one.perSecond / alone.perSecond)
  report.ratio('rate, one at a time : the disk alone', toDisk)
  const toOne = rounds.map(({ many, one }) => many.perSecond / one.perSecond)
  report.ratio('rate, 32 at once : one at a time', toOne)
}
