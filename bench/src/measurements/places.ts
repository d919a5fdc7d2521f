import { join } from 'node:path'
import { lacksS3, startS3 } from '../../../server/test/s3-server.ts'
import { openLog } from '../ledger-log.ts'
import { alternate } from '../rounds.ts'
import type { Bench } from '../row.ts'

const batched = 1_500

/** The same appends with the files of the log in each place. The S3 server is on this machine and keeps them in memory. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const lacking = await lacksS3()
  if (lacking !== false) throw new Error(lacking)
  await using server = await startS3()
  await using inFolder = await openLog(join(folder, 'folder'))
  await using inPostgres = await openLog(join(folder, 'postgres'), 'postgres')
  await using inS3 = await openLog(join(folder, 's3'), `${server.address} ledger`)
  const all = { folder: inFolder, postgres: inPostgres, s3: inS3 }
  const { medians, ratios } = await alternate({
    folder: () => inFolder.appendMany(batched),
    postgres: () => inPostgres.appendMany(batched),
    s3: () => inS3.appendMany(batched),
  })
  for (const [name, log] of Object.entries(all)) {
    const median = medians[name as keyof typeof all]
    report.rate(`durable appends, ${batched} at once, files in ${name}`, median)
    report.latency(`durable append to an idle log, files in ${name}`, await log.appendOne())
  }
  const times = ratios((round) => round.folder.perSecond / round.postgres.perSecond)
  report.ratio('time of an append, in PostgreSQL : in a folder', times)
  const s3Times = ratios((round) => round.folder.perSecond / round.s3.perSecond)
  report.ratio('time of an append, in S3 : in a folder', s3Times)
}
