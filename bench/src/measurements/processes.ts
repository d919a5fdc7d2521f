import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { descendantsMegabytesOf, residentMegabytesOf } from '../processes.ts'
import { type Mill, notarize, startMill } from '../product.ts'
import { openPublished } from '../published.ts'
import { alternate, median, rateOf, repeat } from '../rounds.ts'
import type { Bench } from '../row.ts'
import { drain } from './certificates.ts'

const [count, rounds] = [120, 3]
const clients = 8

/** `MILLSEAL_PROCESSES` 1 against 2 on this machine, in turns. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const start = async (processes: number) => {
    const mill = await startMill(join(folder, String(processes)), {
      MILLSEAL_PROCESSES: String(processes),
      MILLSEAL_VIES: 'off',
    })
    await mill.api('POST', `/identities/${mill.identity}/notarize?mode=test`, {})
    return mill
  }
  await using one = await start(1)
  await using two = await start(2)
  await pause(5_000)
  const idle = (mill: Mill) => residentMegabytesOf(mill.pid) + descendantsMegabytesOf(mill.pid)
  const note = 'idle, with PostgreSQL'
  report.value('memory of a server with one process', idle(one), 'MB', { note })
  report.value('… with a primary process and two', idle(two), 'MB', { note })
  const { makeMany, what } = await openPublished()
  const bodies = makeMany(count * (rounds + 1) * 2).map(String)
  const notarizeMany = (mill: Mill) => async () => {
    const rate = await rateOf(async () => {
      await repeat(() => notarize(mill, bodies.pop() ?? ''), { times: count, concurrent: clients })
      await drain(mill)
      return count
    }, mill.pid)
    return { perSecond: rate.perSecond, cpuMicroseconds: rate.cpuMicroseconds }
  }
  const variants = { one: notarizeMany(one), two: notarizeMany(two) }
  const { medians, ratios } = await alternate(variants, rounds)
  report.rate(`a ${what} notarized, one process`, medians.one)
  report.rate('… two processes', medians.two)
  const gains = ratios((round) => round.two.perSecond / round.one.perSecond)
  report.ratio('… two against one', gains, { note: `median ${median(gains).toFixed(2)}` })
}
