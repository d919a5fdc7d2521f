import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { openLog } from '../ledger-log.ts'
import { openTessera } from '../ledger-peer.ts'
import { alternate, type Bench, repeat, Skipped } from '../measuring.ts'

const batched = 1_500

/** Signatures verified, written to tiles and checkpoint, flushed, indexed and acknowledged. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using log = await openLog(folder)
  await using file = await open(join(folder, 'probe'), 'w')
  const page = Buffer.alloc(8_192, 1)
  const writePage = () => file.write(page, 0, page.length, 0).then(() => file.datasync())
  for (let batch = 0; batch < 3; batch += 1) await log.appendMany(batched)
  const { medians, ratios } = await alternate({
    many: () => log.appendMany(batched),
    disk: () => repeat(writePage, { ms: 400 }),
    one: log.appendOne,
    proof: log.prove,
  })
  report.rate(`durable appends, ${batched} at once`, medians.many, { atLeast: 3_000 })
  report.latency('durable append to an idle log', medians.one, { p50: 10 })
  report.rate('the disk alone: write 8 KiB, fdatasync', medians.disk)
  report.ratio('append to an idle log : the disk alone, p50', ratios('one', 'disk', 'p50Ms'))
  report.value('inclusion proof found, made and checked, p50', medians.proof.p50Ms, 'ms', { atMost: 1 })
  // With a signature checked for each entry. It keeps no index, and does not refuse what it already has.
  await using peer = await openTessera(join(folder, 'tessera'), log.entryBytes).catch((error: unknown) => {
    throw new Skipped(`no comparison with Tessera, which cannot be built here: ${String(error)}`)
  })
  const both = await alternate({ ours: () => log.appendMany(batched), peer: () => peer.appendMany(batched) })
  report.rate(`Tessera, POSIX, ${batched} at once, signatures checked`, both.medians.peer)
  report.ratio('appends a second, ours : Tessera', both.ratios('ours', 'peer', 'perSecond'), { atLeast: 1.2 })
}
