import { eventually } from '../../../server/test/eventually.ts'
import { type Load, load } from '../load.ts'
import { notarize, startMill } from '../product.ts'
import { openPublished } from '../published.ts'
import type { Bench } from '../row.ts'

/** Certificates on the ledger, of a company whose identity is published; every answer refers to a proof. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const { makeMany, what } = await openPublished()
  await using mill = await startMill(folder)
  await mill.api('POST', `/identities/${mill.identity}/notarize?mode=test`, {})
  const path = '/certificates/verify?mode=test'
  const bodies = makeMany(40).map(String)
  for (const body of bodies) {
    await notarize(mill, body)
    await eventually(async () => (await mill.api<{ isValid: boolean }>('POST', path, body)).isValid)
  }
  const send = (more: Partial<Load>) =>
    load({ pid: mill.pid, url: `${mill.url}/api${path}`, bodies, ...more })
  const unpaced = await send({ warmUpMs: 6_000, ms: 4_000 })
  const goal = { atLeast: 1_500 }
  report.rate(`one of ${bodies.length}, each a ${what}, verified by its JSON, 50 clients`, unpaced, { goal })
  report.value('… p99 with clients that never pause', unpaced.p99Ms, 'ms')
  const perSecond = Math.min(1_500, Math.round(unpaced.perSecond / 2))
  const { p99Ms } = await send({ perSecond, warmUpMs: 1_500, ms: 4_000 })
  const note = 'half of that rate, at most 1,500/s'
  report.value(`… p99 at ${perSecond.toLocaleString('en')}/s`, p99Ms, 'ms', { goal: { atMost: 20 }, note })
}
