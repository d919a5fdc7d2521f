import { setTimeout as pause } from 'node:timers/promises'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import { cpuSecondsOf } from '../processes.ts'
import { type Mill, notarize, startMill } from '../product.ts'
import { openPublished, type Published } from '../published.ts'
import { millisecondsOf, rateOf } from '../rounds.ts'
import type { Bench, Report } from '../row.ts'
import { percentile } from '../statistics.ts'

const warmUp = 40
const count = 200
const lanes = 8
const halfLoadSeconds = 8
const mostAtPace = 800
const drainMs = 120_000

/** From the request to the state `notarized`, with PDF, ledger, events and mails. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const published = await openPublished(report)
  await using mill = await startMill(folder)
  if (published !== undefined) {
    const bodies = bodiesOf(published)
    const rate = await notarizeAtOnce(mill, bodies, report)
    await notarizeAtPace(mill, bodies, { perSecond: Math.max(1, rate / 2), report })
  }
  await validateLarge(mill, report)
}

/** Made beforehand: varying takes longer than sending. */
const bodiesOf = ({ make }: Published): (() => string) => {
  const bodies = Array.from({ length: warmUp + count + mostAtPace }, (_, number) => make(number).toString())
  return () => bodies.pop() ?? ''
}

const notarizeAtOnce = async (mill: Mill, next: () => string, report: Report): Promise<number> => {
  const acceptedMs: number[] = []
  const send = async (many: number): Promise<void> => {
    const turns = Array.from({ length: many }).values()
    const lane = async (): Promise<void> => {
      for (const _ of turns) acceptedMs.push(await millisecondsOf(() => notarize(mill, next())))
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    await drain(mill)
  }
  await send(warmUp)
  acceptedMs.length = 0
  const rate = await rateOf(count, () => send(count), mill.pid)
  const note = `${count} sent by ${lanes} clients, from the first request to the last entry`
  report.rate('published certificates, all values different, notarized', rate, {
    goal: { atLeast: 90 },
    note,
  })
  report.cpu('… processor time of each, with PostgreSQL and rendering', rate.cpuMicroseconds, 'ms', {
    goal: { atMost: 20 },
  })
  report.value('… p99 until a request is accepted', percentile(acceptedMs, 0.99), 'ms')
  return rate.perSecond
}

const notarizeAtPace = async (
  mill: Mill,
  next: () => string,
  { perSecond, report }: { perSecond: number; report: Report },
): Promise<void> => {
  const many = Math.min(Math.round(perSecond * halfLoadSeconds), mostAtPace)
  const accepted = Array.from({ length: many }, async (_, turn) => {
    await pause((turn * 1_000) / perSecond)
    const body = next()
    const before = performance.now()
    const { jobId = '' } = await notarize(mill, body)
    return { ms: performance.now() - before, id: jobId }
  })
  const requests = await Promise.all(accepted)
  await drain(mill)
  const note = `${many} at ${perSecond.toFixed(0)}/s`
  const acceptedMs = percentile(
    requests.map(({ ms }) => ms),
    0.99,
  )
  report.value('at half that rate: p99 until a request is accepted', acceptedMs, 'ms', {
    goal: { atMost: 100 },
    note,
  })
  const doneMs: number[] = []
  for (const { id } of requests) {
    const { createdAt, updatedAt } = await mill.api<Times>('GET', `/certificates/${id}`)
    doneMs.push(Date.parse(updatedAt) - Date.parse(createdAt))
  }
  const goal = { atMost: 2_000 }
  report.value('… p99 from accepted to notarized', percentile(doneMs, 0.99), 'ms', { goal, note })
}

type Times = { readonly createdAt: string; readonly updatedAt: string }

const drain = async (mill: Mill): Promise<void> => {
  const until = performance.now() + drainMs
  const isAny = async (state: string): Promise<boolean> =>
    (await mill.api<unknown[]>('GET', `/certificates?mode=test&state=${state}&limit=1`)).length > 0
  while ((await isAny('accepted')) || (await isAny('running'))) {
    if (performance.now() > until) throw new Error(`Notarizations did not end within ${drainMs / 1_000} s`)
    await pause(50)
  }
  if (await isAny('failed')) throw new Error('A notarization failed')
}

/** As large as a server allows: a long text for the bytes, a thousand inspections for the structure. */
const validateLarge = async ({ api, pid }: Mill, report: Report): Promise<void> => {
  const { Certificate, ...rest } = sampleCertificate()
  const bodyOf = (turn: number): string => {
    const inspection = (_: unknown, index: number) => ({ ...Certificate.Inspection, C00: `${turn}-${index}` })
    const Inspection = Array.from({ length: 1_000 }, inspection)
    const Z01 = `In turn ${turn} the products comply with the requirements of the order. `.repeat(8_500)
    return JSON.stringify({
      ...rest,
      Certificate: { ...Certificate, Inspection, Validation: { ...Certificate.Validation, Z01 } },
    })
  }
  const bodies = Array.from({ length: 60 }, (_, turn) => bodyOf(turn))
  const tookMs: number[] = []
  const cpuBefore = cpuSecondsOf(pid)
  for (const body of bodies)
    tookMs.push(await millisecondsOf(() => api('POST', '/certificates/validate', body)))
  const cpuMs = ((cpuSecondsOf(pid) - cpuBefore) * 1_000) / bodies.length
  const megabytes = ((bodies[0]?.length ?? 0) / 1_048_576).toFixed(2)
  report.value(
    `one large certificate at a time validated, ${megabytes} MiB, p99`,
    percentile(tookMs, 0.99),
    'ms',
    {
      goal: { atMost: 250 },
      note: `processor time ${cpuMs.toFixed(0)} ms`,
    },
  )
}
