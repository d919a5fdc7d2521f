import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sampleCertificate } from '../../server/test/certificates.ts'
import { residentMegabytesOf, stopAll } from './processes.ts'
import { percentile } from './statistics.ts'
import { openWorkshop } from './workshop.ts'

const help = `Usage: script/soak [--seconds <n>] [--rate <n>] [--lanes <n>]
       script/load [--seconds <n>] [--lanes <n>]

Starts a server of its own on this machine, notarizes and verifies, and then counts: everything that was accepted must
be notarized, and nothing may have failed. Exits with 1 otherwise. Nothing outside this machine is called.

  --seconds <n>  how long requests are sent: 60 (soak) or 20 (load) unless given, 28,800 at most
  --rate <n>     notarizations a second: 5 (soak) unless given; 0, as load does, is as many as the lanes can
  --lanes <n>    requests at a time: 8 unless given, 64 at most
`

const mostSeconds = 28_800
const drainedWithinMs = 120_000
const samples = 12
/** A session's token lasts 15 minutes. */
const renewEveryMs = 600_000

type Mill = {
  readonly url: string
  readonly pid: number
  readonly identity: string
  readonly company: string
}
type Tally = {
  accepted: number
  failed: number
  readonly milliseconds: number[]
  readonly memory: number[]
  reason?: string
}

const whole = (given: string, { name, most }: { name: string; most: number }): number => {
  const value = Number(given)
  if (!Number.isInteger(value) || value < 0 || value > most) throw new Error(`--${name} is 0 to ${most}`)
  return value
}

const credentials = { username: 'measurer', password: 'correct horse battery' }

const run = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      rate: { type: 'string', default: '5' },
      lanes: { type: 'string', default: '8' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const seconds = whole(values.seconds, { name: 'seconds', most: mostSeconds })
  const rate = whole(values.rate, { name: 'rate', most: 1_000 })
  const lanes = whole(values.lanes, { name: 'lanes', most: 64 })
  const workshop = await openWorkshop((text) => process.stderr.write(`${text}\n`))
  await using _closing = workshop.closing
  const { url, pid, token } = await workshop.server('unlimited')
  const mill = await openMill({ url, pid, token })
  const tally: Tally = { accepted: 0, failed: 0, milliseconds: [], memory: [] }
  await strain(mill, tally, { token, seconds, rate, lanes })
  const notarized = await drain(mill, tally)
  return report(tally, { seconds, notarized })
}

const post = async (
  url: string,
  body: object,
  headers: Record<string, string>,
): Promise<Record<string, string>> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, string>
}

const openMill = async ({ url, pid, token }: { url: string; pid: number; token: string }): Promise<Mill> => {
  const authorization = { authorization: `Bearer ${token}` }
  const address = { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' }
  const named = { name: 'Enduring Mill', vatId: 'ATU10000005', address }
  const { id: company = '' } = await post(`${url}/api/companies`, named, authorization)
  const headers = { ...authorization, company }
  const { id: wallet = '' } = await post(`${url}/api/wallets?mode=test`, {}, headers)
  const wanted = { coinType: 822, account: 0, wallet }
  const { id: identity = '' } = await post(`${url}/api/identities?mode=test`, wanted, headers)
  return { url, pid, identity, company }
}

type Strain = {
  readonly token: string
  readonly seconds: number
  readonly rate: number
  readonly lanes: number
}

/** Each lane notarizes, and verifies what it sent; with a rate each waits for its turn. */
const strain = async (mill: Mill, tally: Tally, { token, seconds, rate, lanes }: Strain): Promise<void> => {
  const startedAt = performance.now()
  const until = startedAt + seconds * 1_000
  let turn = 0
  let holder = { token, since: startedAt }
  const lane = async (): Promise<void> => {
    while (performance.now() < until) {
      turn += 1
      if (rate > 0) await pause(Math.max(0, startedAt + (turn * 1_000) / rate - performance.now()))
      if (performance.now() - holder.since > renewEveryMs) {
        const { accessToken = '' } = await post(`${mill.url}/api/auth/login`, credentials, {})
        holder = { token: accessToken, since: performance.now() }
      }
      await notarizeOne(mill, tally, holder.token)
    }
  }
  const watch = async (): Promise<void> => {
    for (let sample = 0; sample < samples; sample += 1) {
      tally.memory.push(residentMegabytesOf(mill.pid) ?? Number.NaN)
      await pause((seconds * 1_000) / samples)
    }
  }
  await Promise.all([watch(), ...Array.from({ length: lanes }, lane)])
}

const notarizeOne = async ({ url, identity, company }: Mill, tally: Tally, token: string): Promise<void> => {
  const body = sampleCertificate()
  const began = performance.now()
  try {
    const headers = { authorization: `Bearer ${token}`, company }
    await post(`${url}/api/certificates/notarize?mode=test&identity=${identity}`, body, headers)
    tally.accepted += 1
    tally.milliseconds.push(performance.now() - began)
    await post(`${url}/api/certificates/verify?mode=test`, body, {})
  } catch (error) {
    tally.failed += 1
    tally.reason ??= String(error)
  }
}

/** How many are notarized once all are, or once that takes too long. */
const drain = async (mill: Mill, { accepted }: Tally): Promise<number> => {
  const until = performance.now() + drainedWithinMs
  for (;;) {
    const notarized = await entriesOf(mill)
    if (notarized >= accepted || performance.now() > until) return notarized
    await pause(250)
  }
}

/** Of the log, by what the server says of itself: an entry for each certificate, and nothing else made one. */
const entriesOf = async ({ url }: Mill): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^millseal_ledger_entries\{mode="test"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

const report = (tally: Tally, { seconds, notarized }: { seconds: number; notarized: number }): number => {
  const { accepted, failed, milliseconds, memory, reason } = tally
  const at = (quantile: number) => percentile(milliseconds, quantile).toFixed(0)
  const lines = [
    `accepted    ${accepted} in ${seconds} s, ${(accepted / seconds).toFixed(1)} a second`,
    `entries     ${notarized}`,
    `failed      ${failed}${reason === undefined ? '' : `, the first: ${reason}`}`,
    `accepting   p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
    `memory      ${memory.map((megabytes) => megabytes.toFixed(0)).join(' ')} MB`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return failed === 0 && accepted > 0 && notarized === accepted ? 0 : 1
}

try {
  process.exitCode = await run()
} finally {
  await stopAll()
}
