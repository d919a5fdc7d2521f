import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Mill, notarize, startMill } from '../../../bench/src/product.ts'
import { latencyOf, repeat } from '../../../bench/src/measuring.ts'
import { descendantsMegabytesOf, residentMegabytesOf } from '../../../server/test/process-usage.ts'
import {
  diskFolder,
  makeTemporaryFolder,
  removeAbandonedFolders,
} from '../../../server/test/temporary-folder.ts'
import { type Certificates, openCertificates } from '../faults/certificates.ts'
import { openReaders } from './readers.ts'

const help = `Usage: script/soak [--seconds <n>] [--rate <n>] [--readers <n>] [--processes <n>]
       script/load [--seconds <n>] [--processes <n>]

Starts a server on this machine, notarizes and verifies certificates with 8 clients, and counts at the end. Exits with 1
if a request failed, an accepted certificate is not on the ledger, or a reader misses an event. Sends nothing to other
machines.

  --seconds <n>    how long to send requests (default: soak 60, load 20; maximum 28,800)
  --rate <n>       notarizations a second (default: soak 5, load 0); 0 sends as many as the clients can
  --readers <n>    MQTT clients with kept sessions, which all hear of a change of a wallet each second (default 0;
                   maximum 10,000)
  --processes <n>  MILLSEAL_PROCESSES of the server (default: auto)
`

const [drainMs, renewMs, changeMs, samples] = [120_000, 300_000, 1_000, 12]

const wholeNumber = (given: string, name: string, maximum: number): number => {
  const value = Number(given)
  if (Number.isInteger(value) && value >= 0 && value <= maximum) return value
  throw new Error(`--${name} must be a whole number from 0 to ${maximum}`)
}

type Load = {
  readonly seconds: number
  readonly rate: number
  readonly make: Certificates['make']
  readonly watch: (accepted: number) => void
}

/** Each client notarizes a certificate and verifies it. Once a second, somebody changes a wallet. */
const strain = async (mill: Mill, { seconds, rate, make, watch }: Load) => {
  const [acceptedMs, failures]: [number[], string[]] = [[], []]
  const fail = (error: unknown): void => void failures.push(String(error))
  const send = async (): Promise<void> => {
    const { body } = make()
    const before = performance.now()
    await notarize(mill, body)
    acceptedMs.push(performance.now() - before)
    await mill.api('POST', '/certificates/verify?mode=test', body)
  }
  let [names, changed] = [0, 0]
  const change = async (): Promise<void> => {
    // Also while one before is under way: the same name would be no change.
    names += 1
    await mill.api('PATCH', `/wallets/${mill.wallet}?mode=test`, { name: `Plant ${names}` })
    changed += 1
  }
  const changing = setInterval(() => void change().catch(fail), changeMs)
  const watching = setInterval(() => watch(acceptedMs.length), (seconds * 1_000) / samples)
  const perSecond = rate > 0 ? rate : Infinity
  await repeat(() => send().catch(fail), { concurrent: 8, ms: seconds * 1_000, perSecond })
  clearInterval(changing)
  clearInterval(watching)
  return { acceptedMs, failures, changed: () => changed }
}

const sizeOf = (folder: string): number =>
  Number.parseInt(execFileSync('/usr/bin/du', ['-sk', folder], { encoding: 'utf8' }), 10) * 1_024

/** Prints a line for each call: what the server, the rest and the disk take, and what a certificate added. */
const openWatch = ({ pid }: Mill, folder: string) => {
  const first = { accepted: 0, bytes: sizeOf(folder) }
  let last = first
  const startedAt = performance.now()
  process.stdout.write('minutes  accepted  server  PostgreSQL and rendering  disk      of each\n')
  return (accepted: number): void => {
    const bytes = sizeOf(folder)
    const each = (bytes - last.bytes) / (accepted - last.accepted)
    const columns = [
      ((performance.now() - startedAt) / 60_000).toFixed(1).padStart(7),
      String(accepted).padStart(8),
      `${residentMegabytesOf(pid).toFixed(0)} MB`.padStart(6),
      `${descendantsMegabytesOf(pid).toFixed(0)} MB`.padStart(24),
      `${(bytes / 1e6).toFixed(0)} MB`.padStart(8),
      `${(each / 1e3).toFixed(1)} KB`.padStart(9),
    ]
    process.stdout.write(`${columns.join('  ')}\n`)
    last = { accepted, bytes }
  }
}

/** Resolves with the entries of the log once all accepted certificates have one, or when that takes too long. */
const drain = async ({ url }: Mill, accepted: number): Promise<number> => {
  const until = performance.now() + drainMs
  for (;;) {
    const checkpoint = await (await fetch(`${url}/ledger/test/checkpoint`)).text()
    const entries = Number(checkpoint.split('\n')[1] ?? 0)
    if (entries >= accepted || performance.now() > until) return entries
    await pause(250)
  }
}

/** A token is valid for 15 minutes, and the readers need one until all of them are counted. */
const keepSignedIn = (mill: Mill): Disposable => {
  const signIn = (): void =>
    void mill.signIn().catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
  const timer = setInterval(signIn, renewMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

type Wanted = Readonly<Record<'seconds' | 'rate' | 'readers', number>> & { readonly processes: string }

const run = async ({ seconds, rate, readers, processes }: Wanted): Promise<boolean> => {
  await removeAbandonedFolders(diskFolder())
  await using folder = await makeTemporaryFolder(diskFolder())
  await using mill = await startMill(folder.path, {
    // All clients have one address here. When the token of the readers ends, each of them asks for another at once.
    MILLSEAL_MQTT_CONNECTIONS_PER_ADDRESS: String(readers * 2 + 1),
    MILLSEAL_CONNECTIONS_PER_ADDRESS: String(readers * 2 + 500),
    MILLSEAL_PROCESSES: processes,
  })
  using _signedIn = keepSignedIn(mill)
  await using reading = await openReaders(mill, readers)
  const { make, what } = await openCertificates()
  const watch = openWatch(mill, folder.path)
  const { acceptedMs, failures, changed } = await strain(mill, { seconds, rate, make, watch })
  const accepted = acceptedMs.length
  const entries = await drain(mill, accepted)
  const read = await reading.count(changed())
  const { p50Ms, p99Ms } = latencyOf(accepted === 0 ? [Number.NaN] : acceptedMs)
  process.stdout.write(`accepted    ${accepted} in ${seconds} s, ${(accepted / seconds).toFixed(1)} a second: ${what}
entries     ${entries}
failed      ${failures.length}${failures[0] === undefined ? '' : `, the first: ${failures[0]}`}
accepting   p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms
${
  readers === 0
    ? ''
    : `readers     ${readers}, which all heard of ${read.complete} of ${changed()} changes; ${read.missed} messages are missing, ${read.repeated} came again
connected   ${read.connections} times, and ${read.refused} times not
`
}`)
  const isRead = readers === 0 || read.complete >= changed()
  return failures.length === 0 && accepted > 0 && entries === accepted && isRead
}

const text = (usual: string) => ({ type: 'string', default: usual }) as const
const options = {
  seconds: text('60'),
  rate: text('5'),
  readers: text('0'),
  processes: text('auto'),
  help: { type: 'boolean' },
} as const
const { values } = parseArgs({ options })
const wanted = (): Wanted => ({
  seconds: wholeNumber(values.seconds, 'seconds', 28_800),
  rate: wholeNumber(values.rate, 'rate', 1_000),
  readers: wholeNumber(values.readers, 'readers', 10_000),
  processes: values.processes,
})
if (values.help) process.stdout.write(help)
else if (!(await run(wanted()))) process.exitCode = 1
