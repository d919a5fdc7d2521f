import { parseArgs } from 'node:util'
import { seeded } from '../faults/random.ts'
import { lacksParts } from './installation.ts'
import { reportOf } from './report.ts'
import { run } from './run.ts'

const help = `Usage: script/scale [--minutes <n>] [--rate <n>] [--every <s>] [--seed <n>]

Starts two processes for the API behind nginx, two workers, PostgreSQL, RabbitMQ and an S3 server on this machine, notarizes,
verifies and lists through nginx, stays subscribed over MQTT, and kills, suspends, stops or cuts off a random part from time to time.
Then every accepted certificate must have one entry, one event of each kind, one webhook, one MQTT message, one mail to each receiver, and a
bundle that verifies offline, and the log must continue every checkpoint that it had. Exits with 1 otherwise. Prints how long
nothing was accepted, recorded, verified or sent over MQTT. Sends nothing to other machines. Needs the Debian packages nginx-light
and rabbitmq-server, and gofakes3.

  --minutes <n>  how long to send requests (default: 20, maximum 600)
  --rate <n>     certificates a second (default: 10, maximum 100)
  --every <s>    seconds from one fault to the next (default: 20, maximum 3,600)
  --seed <n>     chooses the faults (default: the time)
`

const text = (usual: string) => ({ type: 'string', default: usual }) as const
const { values } = parseArgs({
  options: {
    minutes: text('20'),
    rate: text('10'),
    every: text('20'),
    seed: text(String(Date.now() % 1_000_000)),
    help: { type: 'boolean' },
  },
})
const wholeNumber = (
  name: Exclude<keyof typeof values, 'help'>,
  [least, most]: readonly [number, number],
): number => {
  const value = Number(values[name])
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new Error(`--${name} must be a whole number from ${least} to ${most}`)
}
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const checkpointEveryMs = 60_000

const strain = async (): Promise<void> => {
  const seed = wholeNumber('seed', [0, 2 ** 32 - 1])
  const minutes = wholeNumber('minutes', [1, 600])
  const [rate, every] = [wholeNumber('rate', [1, 100]), wholeNumber('every', [1, 3_600])]
  const lacking = await lacksParts()
  if (lacking !== false) {
    process.stderr.write(`${lacking}\n`)
    process.exitCode = 1
    return
  }
  print(`seed ${seed}, ${minutes} minutes, ${rate} certificates a second, a fault every ${every} s`)
  // The load ends early, and what was accepted is counted.
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort())
  let endMs: number | undefined
  const isOver = (): boolean => {
    endMs ??= performance.now() + minutes * 60_000
    return interrupted.signal.aborted || performance.now() >= endMs
  }
  const result = await run({
    rate,
    everyMs: every * 1_000,
    checkpointEveryMs,
    random: seeded(seed),
    isOver,
    print,
  })
  for (const line of reportOf(result)) print(line)
  if (result.differences.length > 0) process.exitCode = 1
}

if (values.help) process.stdout.write(help)
else await strain()
// The helpers of tests that it uses would report on tests otherwise.
process.exit()
