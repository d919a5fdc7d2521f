import { setTimeout as pause } from 'node:timers/promises'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import { type Mill, notarize, openMill } from '../mill.ts'
import type { Measurement, Row } from '../row.ts'
import { percentile } from '../statistics.ts'

const warmingUp = 80
const count = 240
const lanes = 8
/** What a machine like this keeps up with for ever, and how long it is watched doing so. */
const steady = { perSecond: 15, seconds: 6 }
const givenUpAfterMs = 25_000

/** From the request to the state `notarized`: PDF, ledger, events and mails included. */
export const certificates: Measurement = {
  name: 'certificates',
  async measure(workshop) {
    const mill = await openMill(await workshop.server('unlimited'))
    await burst(mill, warmingUp)
    return [
      ...(await steadyNotarizations(mill)),
      ...(await notarizations(mill)),
      ...(await largeValidations(mill)),
    ]
  },
}

const notarizations = async (mill: Mill): Promise<Row[]> => {
  const startedAt = performance.now()
  const acceptedMs = await burst(mill, count)
  const seconds = (performance.now() - startedAt) / 1_000
  const what = `${count} notarizations, from the first request to the last entry`
  return [
    { what, value: count / seconds, unit: '/s', goal: { atLeast: 40 } },
    { what: '… accepted, p99, all at once', value: percentile(acceptedMs, 0.99), unit: 'ms' },
  ]
}

/** So many as fast as they are accepted, to their end. Resolves with how long each took to be accepted. */
const burst = async (mill: Mill, many: number): Promise<readonly number[]> => {
  const acceptedMs: number[] = []
  const bodies = Array.from({ length: many }, () => JSON.stringify(sampleCertificate()))[Symbol.iterator]()
  const lane = async (): Promise<void> => {
    for (const body of bodies) acceptedMs.push(await millisecondsOf(() => notarize(mill, body)))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  await drained(mill)
  return acceptedMs
}

const steadyNotarizations = async (mill: Mill): Promise<Row[]> => {
  const { perSecond, seconds } = steady
  const startedAt = performance.now()
  const accepted = Array.from({ length: perSecond * seconds }, async (_, turn) => {
    await pause((turn * 1_000) / perSecond)
    return await millisecondsOf(() => notarize(mill, JSON.stringify(sampleCertificate())))
  })
  const acceptedMs = await Promise.all(accepted)
  const sentAt = performance.now()
  await drained(mill)
  const note = `${perSecond} a second for ${((sentAt - startedAt) / 1_000).toFixed(0)} s`
  return [
    {
      what: 'notarization, accepted, p99',
      value: percentile(acceptedMs, 0.99),
      unit: 'ms',
      goal: { atMost: 100 },
      note,
    },
    { what: '… the last entry after the last request', value: performance.now() - sentAt, unit: 'ms', note },
  ]
}

const millisecondsOf = async (work: () => Promise<void>): Promise<number> => {
  const before = performance.now()
  await work()
  return performance.now() - before
}

/** Asks for as little as possible: whoever measures takes from the same two cores. */
const drained = async (mill: Mill): Promise<void> => {
  const until = performance.now() + givenUpAfterMs
  while ((await isAny(mill, 'accepted')) || (await isAny(mill, 'running'))) {
    if (performance.now() > until) throw new Error('The notarizations did not end')
    await pause(50)
  }
  if (await isAny(mill, 'failed')) throw new Error('A notarization failed')
}

const isAny = async ({ url, headers }: Mill, state: string): Promise<boolean> => {
  const response = await fetch(`${url}/api/certificates?mode=test&state=${state}&limit=1`, { headers })
  return ((await response.json()) as unknown[]).length > 0
}

const largeValidations = async ({ url, headers }: Mill): Promise<Row[]> => {
  const body = JSON.stringify(largeCertificate())
  const tookMs: number[] = []
  for (let round = 0; round < 60; round += 1) {
    const before = performance.now()
    const response = await fetch(`${url}/api/certificates/validate`, { method: 'POST', headers, body })
    if (response.status !== 200) throw new Error(`validate: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
    tookMs.push(performance.now() - before)
  }
  const what = `validate a certificate of ${(body.length / 1_048_576).toFixed(2)} MiB, p99`
  return [{ what, value: percentile(tookMs, 0.99), unit: 'ms', goal: { atMost: 250 } }]
}

/** As large as allowed: a long text for the bytes, a thousand inspections for the structure. */
const largeCertificate = () => {
  const { Certificate, ...rest } = sampleCertificate()
  const Inspection = Array.from({ length: 1_000 }, (_, index) => ({
    ...Certificate.Inspection,
    C00: `175508-${index}`,
  }))
  const Z01 = 'The delivered products comply with the requirements of the order. '.repeat(9_000)
  const Validation = { ...Certificate.Validation, Z01 }
  return { ...rest, Certificate: { ...Certificate, Inspection, Validation } }
}
