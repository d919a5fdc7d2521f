import { setTimeout as pause } from 'node:timers/promises'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import { load } from '../load.ts'
import type { Measurement, Row, SignedInServer } from '../row.ts'
import { percentile } from '../statistics.ts'

const count = 240
const lanes = 8
const givenUpAfterMs = 25_000

type Mill = {
  readonly url: string
  readonly pid: number
  readonly headers: Record<string, string>
  readonly identity: string
}

/** From the request to the state `notarized`: PDF, ledger, events and mails included. */
export const certificates: Measurement = {
  name: 'certificates',
  async measure(workshop) {
    const mill = await openMill(await workshop.server('unlimited'))
    return [...(await notarizations(mill)), ...(await verifications(mill)), ...(await largeValidations(mill))]
  },
}

const openMill = async ({ url, pid, token }: SignedInServer): Promise<Mill> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object, more: Record<string, string> = {}): Promise<string> => {
    const response = await fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { id: string }).id
  }
  const address = { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' }
  const company = await post('/companies', { name: 'Measured Mill', vatId: 'ATU10000005', address })
  const wallet = await post('/wallets?mode=test', {}, { company })
  const identity = await post('/identities?mode=test', { coinType: 822, account: 0, wallet }, { company })
  return { url, pid, headers: { ...headers, company }, identity }
}

const notarizations = async (mill: Mill): Promise<Row[]> => {
  const acceptedMs: number[] = []
  const startedAt = performance.now()
  const bodies = Array.from({ length: count }, () => JSON.stringify(sampleCertificate()))[Symbol.iterator]()
  const lane = async (): Promise<void> => {
    for (const body of bodies) {
      const before = performance.now()
      await notarize(mill, body)
      acceptedMs.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  while ((await notarized(mill)) < count) {
    if (performance.now() - startedAt > givenUpAfterMs) throw new Error('The notarizations did not end')
    await pause(100)
  }
  const seconds = (performance.now() - startedAt) / 1_000
  const what = `${count} notarizations, from the first request to the last entry`
  return [
    { what, value: count / seconds, unit: '/s', goal: { atLeast: 40 } },
    { what: '… accepted, p99', value: percentile(acceptedMs, 0.99), unit: 'ms', goal: { atMost: 100 } },
  ]
}

const notarize = async ({ url, headers, identity }: Mill, body: string): Promise<void> => {
  const path = `/api/certificates/notarize?mode=test&identity=${identity}`
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  if (response.status !== 201) throw new Error(`notarize: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}

const notarized = async ({ url, headers }: Mill): Promise<number> => {
  const path = '/api/certificates?mode=test&state=notarized&limit=1000'
  const response = await fetch(`${url}${path}`, { headers })
  return ((await response.json()) as unknown[]).length
}

const verifications = async (mill: Mill): Promise<Row[]> => {
  const { pid, headers } = mill
  const url = `${mill.url}/api/certificates/verify?mode=test`
  const body = JSON.stringify(sampleCertificate())
  await notarize(mill, body)
  const isKnown = async (): Promise<boolean> => {
    const response = await fetch(url, { method: 'POST', headers, body })
    return ((await response.json()) as { isValid: boolean }).isValid
  }
  while (!(await isKnown())) await pause(50)
  const { perSecond, p99Ms, cpuMicroseconds } = await load({ pid }, 200, { url, method: 'POST', body })
  const what = 'verify a JSON that is on the ledger, 50 clients'
  return [
    { what, value: perSecond, unit: '/s', goal: { atLeast: 1_500 } },
    { what: '… p99', value: p99Ms, unit: 'ms', goal: { atMost: 20 } },
    { what: '… processor time of the server per answer', value: cpuMicroseconds, unit: 'µs' },
  ]
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
