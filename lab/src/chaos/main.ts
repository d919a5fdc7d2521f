import { parseArgs } from 'node:util'
import { lacksMounting } from '../../../server/test/faulty-disk.ts'
import { seeded } from '../faults/random.ts'
import { kinds } from './installation.ts'
import { type Result, runRounds } from './rounds.ts'

const help = `Usage: script/chaos [--rounds <n>] [--seed <n>] [--pause <ms>]

Notarizes, verifies and reads on two installations on this machine, one with the embedded database on a small disk, one
of two processes for the API and two workers with a PostgreSQL of its own, and inflicts faults on them at random: kill -9, SIGSTOP, kill -9 of the
database, a full disk, a database that is cut off. Then every accepted certificate must have one entry, one event of each
kind, one webhook, one mail to each receiver, and a bundle that verifies offline. Exits with 1 if one has not.
Sends nothing to other machines.

  --rounds <n>  faults in all (default: 20, maximum 1,000)
  --seed <n>    chooses the faults (default: the time)
  --pause <ms>  between two requests of a client (default: 300)
`

const text = (usual: string) => ({ type: 'string', default: usual }) as const
const { values } = parseArgs({
  options: {
    rounds: text('20'),
    seed: text(String(Date.now() % 1_000_000)),
    pause: text('300'),
    help: { type: 'boolean' },
  },
})
const wholeNumber = (name: 'rounds' | 'seed' | 'pause', [least, most]: readonly [number, number]): number => {
  const value = Number(values[name])
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new Error(`--${name} must be a whole number from ${least} to ${most}`)
}
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const inPercent = (values_: readonly number[], percent: number): number =>
  values_.toSorted((one, other) => one - other)[
    Math.min(values_.length - 1, Math.floor((values_.length * percent) / 100))
  ] ?? 0

const tell = ({ accepted, answers, readyMs, differences }: Result): boolean => {
  const counted = [...answers].toSorted(([one], [other]) => one - other)
  print(`accepted     ${accepted}`)
  print(
    `answers      ${counted.map(([status, many]) => `${status === 0 ? 'none' : status}: ${many}`).join(', ')}`,
  )
  print(
    `accepts after p50 ${inPercent(readyMs, 50)} ms, p95 ${inPercent(readyMs, 95)} ms, max ${inPercent(readyMs, 100)} ms`,
  )
  for (const difference of differences.slice(0, 50)) print(`✗ ${difference}`)
  print(differences.length === 0 ? '✓ each once, and nothing lost' : `✗ ${differences.length} differences`)
  return differences.length === 0
}

const run = async (): Promise<void> => {
  const seed = wholeNumber('seed', [0, 2 ** 32 - 1])
  const rounds = Math.ceil(wholeNumber('rounds', [1, 1_000]) / kinds.length)
  const everyMs = wholeNumber('pause', [0, 60_000])
  const cannotMount = await lacksMounting()
  print(`seed ${seed}${cannotMount === false ? '' : `; no full disk: ${cannotMount}`}`)
  // Rounds end early, and what was accepted is counted.
  const interrupted = new AbortController()
  const isOver = () => interrupted.signal.aborted
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort())
  for (const kind of kinds) {
    if (isOver()) return
    const canMount = cannotMount === false
    const result = await runRounds({ kind, rounds, random: seeded(seed), everyMs, canMount, print, isOver })
    if (!tell(result)) process.exitCode = 1
  }
}

if (values.help) process.stdout.write(help)
else await run()
// The helpers of tests that it uses would report on tests otherwise.
process.exit()
