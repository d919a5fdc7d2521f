import { eventually } from '../../../server/test/eventually.ts'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import { load } from '../load.ts'
import { type Mill, notarize, startMill } from '../product.ts'
import { openPublished } from '../published.ts'
import { latencyOf, rateOf, repeat } from '../rounds.ts'
import type { Bench, Report } from '../row.ts'

const [first, warmUp, count, mostAtPace] = [200, 1_000, 600, 700]
const clients = 8

/** From the request to the state `notarized`, with PDF, ledger, events and mails. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using mill = await startMill(folder)
  await mill.api('POST', `/identities/${mill.identity}/notarize?mode=test`, {})
  await validateLarge(mill, report)
  const { makeMany, what } = await openPublished()
  // Made beforehand: varying takes longer than sending.
  const bodies = makeMany(first + warmUp + count + mostAtPace).map(String)
  const notarizeMany = async (times: number): Promise<number> => {
    await repeat(() => notarize(mill, bodies.pop() ?? ''), { times, concurrent: clients })
    await drain(mill)
    return times
  }
  const cold = await rateOf(() => notarizeMany(first), mill.pid)
  await notarizeMany(warmUp)
  const rate = await rateOf(() => notarizeMany(count), mill.pid)
  const note = `${count} sent by ${clients} clients, from the first request to the last entry`
  report.rate(`a ${what}, all values different, notarized`, rate, { goal: { atLeast: 90 }, note })
  const goal = { atMost: 20 }
  report.cpu('… processor time of each, with PostgreSQL and rendering', rate, 'ms', { goal })
  report.rate(`the first ${first} of a process`, cold, { note: 'while its code is being compiled' })
  const perSecond = Math.max(1, rate.perSecond / 2)
  const { pid, headers, identity } = mill
  const url = `${mill.url}/api/certificates/notarize?mode=test&identity=${identity}`
  const ms = Math.min(8_000, ((mostAtPace - 100) * 1_000) / perSecond)
  const began = Date.now()
  const sent = await load({ pid, url, headers, bodies, status: 201, perSecond, clients, warmUpMs: 0, ms })
  await drain(mill)
  const all = await mill.api<Times[]>('GET', '/certificates?mode=test&limit=1000')
  const doneMs = all
    .filter(({ createdAt }) => Date.parse(createdAt) >= began)
    .map(({ createdAt, updatedAt }) => Date.parse(updatedAt) - Date.parse(createdAt))
  const pace = { p99: 100, note: `${doneMs.length} at ${perSecond.toFixed(0)}/s` }
  report.latency('at half that rate: until a request is accepted', sent, pace)
  report.latency('… from accepted to notarized', latencyOf(doneMs), { p99: 2_000 })
}

type Times = Readonly<Record<'createdAt' | 'updatedAt', string>>

/** Until every certificate is notarized. */
export const drain = async ({ api }: Mill): Promise<void> => {
  const isNone = async (state: string): Promise<boolean> =>
    (await api<unknown[]>('GET', `/certificates?mode=test&state=${state}&limit=1`)).length === 0
  // Asking more often would be a part of what is measured.
  await eventually(async () => (await isNone('accepted')) && (await isNone('running')), { everyMs: 200 })
  if (!(await isNone('failed'))) throw new Error('A notarization failed')
}

/** As large as paper allows: a long text for the bytes, a thousand inspections for the structure. */
const validateLarge = async ({ api, pid }: Mill, report: Report): Promise<void> => {
  const { Certificate, ...rest } = sampleCertificate()
  const bodies = Array.from({ length: 60 }, (_none, turn) => {
    const inspection = (_: unknown, index: number) => ({ ...Certificate.Inspection, C00: `${turn}-${index}` })
    const Inspection = Array.from({ length: 1_000 }, inspection)
    const Z01 = `In turn ${turn} the products comply with the requirements of the order. `.repeat(5_000)
    const Validation = { ...Certificate.Validation, Z01 }
    return JSON.stringify({ ...rest, Certificate: { ...Certificate, Inspection, Validation } })
  })
  const timed = await repeat((turn) => api('POST', '/certificates/validate', bodies[turn]), {
    times: 60,
    pid,
  })
  const megabytes = ((bodies[0]?.length ?? 0) / 1_048_576).toFixed(2)
  report.cpu(`one large certificate at a time validated, ${megabytes} MiB`, timed, 'ms')
  report.value('… p99', timed.p99Ms, 'ms', { goal: { atMost: 250 } })
}
