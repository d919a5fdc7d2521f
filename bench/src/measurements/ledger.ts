import { openDisk } from '../durable.ts'
import { openLog } from '../ledger-log.ts'
import { alternate } from '../rounds.ts'
import type { Bench } from '../row.ts'

const batched = 1_500
const warmUp = 3

/** Signatures verified, written to tiles and checkpoint, flushed, indexed and acknowledged. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using log = await openLog(folder)
  await using disk = await openDisk(folder)
  for (let batch = 0; batch < warmUp; batch += 1) await log.appendMany(batched)
  const { rounds, median } = await alternate({
    many: () => log.appendMany(batched),
    disk: disk.flush,
    one: log.appendOne,
    proof: log.prove,
    find: log.find,
  })
  report.rate(`durable appends, ${batched} at once`, median.many, { goal: { atLeast: 3_000 } })
  report.value('durable append to an idle log, p50', median.one.p50Ms, 'ms', { goal: { atMost: 10 } })
  report.value('… p99', median.one.p99Ms, 'ms')
  report.value('the disk alone: write 8 KiB, fdatasync, p50', median.disk.p50Ms, 'ms')
  const toDisk = rounds.map(({ one, disk: alone }) => one.p50Ms / alone.p50Ms)
  report.ratio('append to an idle log : the disk alone', toDisk)
  report.value('entry found by its id, signatures verified, p50', median.find.p50Ms, 'ms')
  const goal = { atMost: 1 }
  report.value('inclusion proof found, made and checked, p50', median.proof.p50Ms, 'ms', { goal })
}
