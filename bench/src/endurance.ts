import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sampleCertificate } from '../../server/test/certificates.ts'
import { makeTemporaryFolder, removeAbandonedFolders } from '../../server/test/temporary-folder.ts'
import { diskFolder } from './machine.ts'
import { residentMegabytesOf } from './processes.ts'
import { type Mill, notarize, openMill, signIn, signUp, startServer } from './product.ts'
import { millisecondsOf } from './rounds.ts'
import { percentile } from './statistics.ts'

const help = `Usage: script/soak [--seconds <n>] [--rate <n>] [--lanes <n>]
       script/load [--seconds <n>] [--lanes <n>]

Starts a server on this machine, notarizes and verifies certificates, and counts at the end. Exits with 1 if a request
failed or an accepted certificate is not on the ledger. Sends nothing to other machines.

  --seconds <n>  how long to send requests (default: soak 60, load 20; maximum 28,800)
  --rate <n>     notarizations a second (default: soak 5, load 0); 0 sends as many as the lanes can
  --lanes <n>    requests at a time (default 8, maximum 64)
`

const drainMs = 120_000
const samples = 12
/** The access token of a session is valid for 15 minutes. */
const renewMs = 600_000

const wholeNumber = (given: string, name: string, maximum: number): number => {
  const value = Number(given)
  if (Number.isInteger(value) && value >= 0 && value <= maximum) return value
  throw new Error(`--${name} must be a whole number from 0 to ${maximum}`)
}

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
  const seconds = wholeNumber(values.seconds, 'seconds', 28_800)
  const rate = wholeNumber(values.rate, 'rate', 1_000)
  const lanes = wholeNumber(values.lanes, 'lanes', 64)
  await removeAbandonedFolders(diskFolder())
  await using folder = await makeTemporaryFolder(diskFolder())
  await using server = await startServer(folder.path)
  const mill = await openMill(server, await signUp(server, folder.path))
  const tally = await strain(mill, { seconds, rate, lanes })
  return report(tally, { seconds, entries: await drain(mill, tally.acceptedMs.length) })
}

type Tally = { readonly acceptedMs: number[]; readonly memory: number[]; readonly failures: string[] }

/** Each lane notarizes a certificate and verifies it. */
const strain = async (
  mill: Mill,
  { seconds, rate, lanes }: { seconds: number; rate: number; lanes: number },
): Promise<Tally> => {
  const tally: Tally = { acceptedMs: [], memory: [], failures: [] }
  const startedAt = performance.now()
  const until = startedAt + seconds * 1_000
  let turn = 0
  let authorized = { headers: {}, since: startedAt }
  const lane = async (): Promise<void> => {
    while (performance.now() < until) {
      turn += 1
      if (rate > 0) await pause(Math.max(0, startedAt + (turn * 1_000) / rate - performance.now()))
      try {
        if (performance.now() - authorized.since > renewMs) {
          const authorization = `Bearer ${await signIn(mill.url)}`
          authorized = { headers: { authorization }, since: performance.now() }
        }
        const body = JSON.stringify(sampleCertificate())
        tally.acceptedMs.push(await millisecondsOf(() => notarize(mill, body, authorized.headers)))
        await mill.api('POST', '/certificates/verify?mode=test', body, authorized.headers)
      } catch (error) {
        tally.failures.push(String(error))
      }
    }
  }
  const watch = async (): Promise<void> => {
    for (let sample = 0; sample < samples; sample += 1) {
      tally.memory.push(residentMegabytesOf(mill.pid))
      await pause((seconds * 1_000) / samples)
    }
  }
  await Promise.all([watch(), ...Array.from({ length: lanes }, lane)])
  return tally
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

const report = (
  { acceptedMs, memory, failures }: Tally,
  { seconds, entries }: { seconds: number; entries: number },
): number => {
  const accepted = acceptedMs.length
  const at = (share: number) => (accepted === 0 ? '—' : percentile(acceptedMs, share).toFixed(0))
  const lines = [
    `accepted    ${accepted} in ${seconds} s, ${(accepted / seconds).toFixed(1)} a second`,
    `entries     ${entries}`,
    `failed      ${failures.length}${failures[0] === undefined ? '' : `, the first: ${failures[0]}`}`,
    `accepting   p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
    `memory      ${memory.map((megabytes) => megabytes.toFixed(0)).join(' ')} MB`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return failures.length === 0 && accepted > 0 && entries === accepted ? 0 : 1
}

process.exitCode = await run()
