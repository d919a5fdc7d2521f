import { type Bench, repeat } from '../measuring.ts'
import { notarizeMany, send, startMill } from '../product.ts'
import { openPublished } from '../published.ts'

const different = 40

/** Certificates on the ledger, of a company whose identity is published; every answer refers to a proof. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const { makeMany, what } = await openPublished()
  await using mill = await startMill(folder)
  await mill.api('POST', `/identities/${mill.identity}/notarize?mode=test`, {})
  const bodies = makeMany(different)
  await notarizeMany(mill, [...bodies], different)
  const path = '/certificates/verify?mode=test'
  for (const body of bodies) {
    const { isValid } = await mill.api<{ isValid: boolean }>('POST', path, body.toString())
    if (!isValid) throw new Error('A notarized certificate is not valid')
  }
  const headers = { 'content-type': 'application/json' }
  const verify = (turn: number) =>
    send(`${mill.url}/api${path}`, { headers, body: bodies[turn % different] ?? '', status: 200 })
  const load = { concurrent: 50, ms: 4_000, pid: mill.pid }
  await repeat(verify, { ...load, ms: 6_000 })
  const unpaced = await repeat(verify, load)
  const label = `one of ${different}, each a ${what}, verified by its JSON, 50 clients`
  report.rate(label, unpaced, { atLeast: 1_500 })
  report.value('… p99 with clients that never pause', unpaced.p99Ms, 'ms')
  const perSecond = Math.min(1_500, Math.round(unpaced.perSecond / 2))
  const { p99Ms } = await repeat(verify, { ...load, perSecond })
  const note = 'half of that rate, at most 1,500/s'
  report.value(`… p99 at ${perSecond.toLocaleString('en')}/s`, p99Ms, 'ms', { atMost: 20, note })
}
