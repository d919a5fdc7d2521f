import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import { eventually } from '../../../server/test/eventually.ts'
import { type Bench, latencyOf, rateOf, repeat } from '../measuring.ts'
import { clients, drain, type Mill, notarizeMany, sendNext, startMill } from '../product.ts'
import { openPublished } from '../published.ts'

const [first, warmUp, count, mostAtPace] = [200, 1_000, 1_200, 600]

/** From the request until its mail is sent, with PDF, ledger and events. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using mill = await startMill(folder)
  await mill.api('POST', `/identities/${mill.identity}/notarize?mode=test`, {})
  await validateLarge(mill, report)
  const { makeMany, what } = await openPublished()
  // Made beforehand: varying takes longer than sending.
  const bodies = makeMany(first + warmUp + count + mostAtPace)
  const countMails = async () => (await readdir(join(folder, 'mails'))).length
  const notarizeNext = async (times: number): Promise<number> => {
    const expected = (await countMails()) + times
    await notarizeMany(mill, bodies, times)
    await eventually(async () => (await countMails()) >= expected, { everyMs: 100 })
    return times
  }
  const rateOfNext = (times: number) => rateOf(() => notarizeNext(times), mill.pid)
  const cold = await rateOfNext(first)
  await rateOfNext(warmUp)
  const rate = await rateOfNext(count)
  const note = `${count} sent by ${clients} clients, from the first request to the last mail`
  report.rate(`a ${what}, all values different, notarized`, rate, { atLeast: 90, note })
  report.cpu('… processor time of each, with PostgreSQL and rendering', rate, 'ms', { atMost: 20 })
  report.rate(`the first ${first} of a process`, cold, { note: 'while its code is being compiled' })
  const perSecond = Math.max(1, rate.perSecond / 2)
  const times = Math.min(mostAtPace, Math.ceil(perSecond * 8))
  const began = Date.now()
  const pace = { times, concurrent: clients, perSecond, pid: mill.pid }
  const accepted = await repeat(() => sendNext(mill, bodies), pace)
  await drain(mill)
  const all = await mill.api<Readonly<Record<'createdAt' | 'updatedAt', string>>[]>(
    'GET',
    '/certificates?mode=test&limit=1000',
  )
  const doneMs = all
    .filter(({ createdAt }) => Date.parse(createdAt) >= began)
    .map(({ createdAt, updatedAt }) => Date.parse(updatedAt) - Date.parse(createdAt))
  const paced = { p99: 100, note: `${times} at ${perSecond.toFixed(0)}/s` }
  report.latency('at half that rate: until a request is accepted', accepted, paced)
  report.latency('… from accepted to notarized', latencyOf(doneMs), { p99: 2_000 })
}

/** As large as paper allows: a long text for the bytes, a thousand inspections for the structure. */
const validateLarge = async ({ api, pid }: Mill, report: Bench['report']): Promise<void> => {
  const { Certificate, ...rest } = sampleCertificate()
  const bodies = Array.from({ length: 60 }, (_none, turn) => {
    const inspection = (_: unknown, index: number) => ({ ...Certificate.Inspection, C00: `${turn}-${index}` })
    const Inspection = Array.from({ length: 1_000 }, inspection)
    const Z01 = `In turn ${turn} the products comply with the requirements of the order. `.repeat(5_000)
    const Validation = { ...Certificate.Validation, Z01 }
    return JSON.stringify({ ...rest, Certificate: { ...Certificate, Inspection, Validation } })
  })
  const validate = (turn: number) => api('POST', '/certificates/validate', bodies[turn])
  const timed = await repeat(validate, { times: bodies.length, pid })
  const megabytes = ((bodies[0]?.length ?? 0) / 1_048_576).toFixed(2)
  report.cpu(`one large certificate at a time validated, ${megabytes} MiB`, timed, 'ms')
  report.value('… p99', timed.p99Ms, 'ms', { atMost: 250 })
}
