import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sampleCertificate } from '../../server/test/certificates.ts'
import { makeTemporaryFolder, removeAbandonedFolders } from '../../server/test/temporary-folder.ts'
import { diskFolder } from './machine.ts'
import { residentMegabytesOf } from './processes.ts'
import { type Mill, notarize, startMill } from './product.ts'
import { latencyOf, repeat } from './rounds.ts'

const help = `Usage: script/soak [--seconds <n>] [--rate <n>]
       script/load [--seconds <n>]

Starts a server on this machine, notarizes and verifies certificates with 8 clients, and counts at the end. Exits with 1
if a request failed or an accepted certificate is not on the ledger. Sends nothing to other machines.

  --seconds <n>  how long to send requests (default: soak 60, load 20; maximum 28,800)
  --rate <n>     notarizations a second (default: soak 5, load 0); 0 sends as many as the clients can
`

const [drainMs, renewMs, samples] = [120_000, 600_000, 12]

const wholeNumber = (given: string, name: string, maximum: number): number => {
  const value = Number(given)
  if (Number.isInteger(value) && value >= 0 && value <= maximum) return value
  throw new Error(`--${name} must be a whole number from 0 to ${maximum}`)
}

/** Each client notarizes a certificate and verifies it. */
const strain = async (mill: Mill, seconds: number, rate: number) => {
  const [acceptedMs, memory, failures]: [number[], number[], string[]] = [[], [], []]
  const fail = (error: unknown): void => void failures.push(String(error))
  const [startedAt, endsAt] = [performance.now(), performance.now() + seconds * 1_000]
  const send = async (turn: number): Promise<void> => {
    const dueAt = rate > 0 ? startedAt + (turn * 1_000) / rate : startedAt
    await pause(Math.max(0, Math.min(dueAt, endsAt) - performance.now()))
    if (performance.now() >= endsAt) return
    const body = JSON.stringify(sampleCertificate())
    const before = performance.now()
    await notarize(mill, body)
    acceptedMs.push(performance.now() - before)
    await mill.api('POST', '/certificates/verify?mode=test', body)
  }
  const renewing = setInterval(() => void mill.signIn().catch(fail), renewMs)
  const watching = setInterval(() => memory.push(residentMegabytesOf(mill.pid)), (seconds * 1_000) / samples)
  await repeat((turn) => send(turn).catch(fail), { concurrent: 8, ms: seconds * 1_000 })
  clearInterval(renewing)
  clearInterval(watching)
  return { acceptedMs, memory, failures }
}

/** Resolves with the entries of the log once all accepted certificates have one, or when that takes too long. */
const drain = async ({ url }: Mill, accepted: number): Promise<number> => {
  const until = performance.now() + drainMs
  for (;;) {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    const entries = Number(/^millseal_ledger_entries\{mode="test"\} (\d+)$/m.exec(metrics)?.[1] ?? 0)
    if (entries >= accepted || performance.now() > until) return entries
    await pause(250)
  }
}

const run = async (seconds: number, rate: number): Promise<boolean> => {
  await removeAbandonedFolders(diskFolder())
  await using folder = await makeTemporaryFolder(diskFolder())
  await using mill = await startMill(folder.path)
  const { acceptedMs, memory, failures } = await strain(mill, seconds, rate)
  const accepted = acceptedMs.length
  const entries = await drain(mill, accepted)
  const { p50Ms, p99Ms } = latencyOf(accepted === 0 ? [Number.NaN] : acceptedMs)
  process.stdout.write(`accepted    ${accepted} in ${seconds} s, ${(accepted / seconds).toFixed(1)} a second
entries     ${entries}
failed      ${failures.length}${failures[0] === undefined ? '' : `, the first: ${failures[0]}`}
accepting   p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms
memory      ${memory.map((megabytes) => megabytes.toFixed(0)).join(' ')} MB
`)
  return failures.length === 0 && accepted > 0 && entries === accepted
}

const text = (usual: string) => ({ type: 'string', default: usual }) as const
const { values } = parseArgs({ options: { seconds: text('60'), rate: text('5'), help: { type: 'boolean' } } })
if (values.help) process.stdout.write(help)
else if (
  !(await run(wholeNumber(values.seconds, 'seconds', 28_800), wholeNumber(values.rate, 'rate', 1_000)))
)
  process.exitCode = 1
