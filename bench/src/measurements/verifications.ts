import { setTimeout as pause } from 'node:timers/promises'
import { type LoadOrder, load } from '../load.ts'
import { notarize, startMill } from '../product.ts'
import { openPublished } from '../published.ts'
import type { Bench } from '../row.ts'

const different = 40

/** Certificates on the ledger, of a company whose identity is published; every answer refers to a proof. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const published = await openPublished(report)
  if (published === undefined) return
  await using mill = await startMill(folder)
  const bodies = Array.from({ length: different }, (_, number) => published.make(number).toString())
  for (const body of bodies) await notarize(mill, body)
  const path = '/certificates/verify?mode=test'
  for (const body of bodies)
    while (!(await mill.api<{ isValid: boolean }>('POST', path, body)).isValid) await pause(50)
  const send = (more: Partial<LoadOrder>) =>
    load(mill.pid, 200, { url: `${mill.url}/api${path}`, method: 'POST', bodies, ...more })
  const unpaced = await send({ warmUpMs: 6_000, ms: 4_000 })
  const what = `one of ${different} published certificates of ${published.kilobytes} KB verified by its JSON, 50 clients`
  report.rate(what, unpaced, { goal: { atLeast: 1_500 } })
  report.value('… p99 with clients that never pause', unpaced.p99Ms, 'ms')
  const perSecond = Math.min(1_500, Math.round(unpaced.perSecond / 2))
  const paced = await send({ perSecond, warmUpMs: 1_500, ms: 4_000 })
  const note = 'half of that rate, at most 1,500/s'
  report.value(`… p99 at ${perSecond.toLocaleString('en')}/s`, paced.p99Ms, 'ms', {
    goal: { atMost: 20 },
    note,
  })
}
