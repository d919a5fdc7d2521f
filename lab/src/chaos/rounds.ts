import { setTimeout as pause } from 'node:timers/promises'
import { checkBundles, checkRecords, type Differences, drained } from '../faults/count.ts'
import { foundMill } from '../faults/mill.ts'
import type { Random } from '../faults/random.ts'
import { faultsOf } from './faults.ts'
import { readinessOf, type Restartable } from '../../../server/test/restartable.ts'
import { type Installation, type Kind, openInstallation } from './installation.ts'
import { type Load, startLoad } from './load.ts'

export type Wanted = {
  readonly kind: Kind
  readonly rounds: number
  readonly random: Random
  readonly everyMs: number
  readonly canMount: boolean
  readonly print: (line: string) => void
  /** Asked before each round. */
  readonly isOver?: () => boolean
}

export type Result = {
  readonly accepted: number
  readonly answers: ReadonlyMap<number, number>
  /** From the end of the fault until each process was ready and accepted a certificate, in order of the rounds. */
  readonly readyMs: readonly number[]
  readonly differences: Differences
}

const neverReadyMs = 400_000

/** Inflicts faults one after another on an installation under load, and counts at the end. */
export const runRounds = async (wanted: Wanted): Promise<Result> => {
  await using installation = await openInstallation(wanted.kind, wanted)
  const { processes } = installation
  const mill = await foundMill(installation)
  await Promise.all(processes.map((one) => one.start()))
  const readyMs: number[] = []
  const load = startLoad({ installation, mill, everyMs: wanted.everyMs })
  try {
    for (let round = 1; round <= wanted.rounds && wanted.isOver?.() !== true; round += 1)
      readyMs.push(await runRound(installation, { ...wanted, round, load }))
  } finally {
    await load[Symbol.asyncDispose]()
  }
  const { accepted, answers, surprises } = load
  const given = { installation, mill, accepted }
  await drained(given)
  const bundles = await checkBundles(given)
  await Promise.all(processes.map((one) => one.stop()))
  const differences = [...surprises, ...bundles, ...(await checkRecords(given))]
  return { accepted: accepted.length, answers, readyMs, differences }
}

type Round = Pick<Wanted, 'kind' | 'random' | 'rounds' | 'print'> & {
  readonly round: number
  readonly load: Load
}

const runRound = async (
  installation: Installation,
  { kind, random, rounds, round, print, load }: Round,
): Promise<number> => {
  await pause(random.between(500, 4_000))
  const fault = random.oneOf(faultsOf(installation))
  const victim = random.oneOf(installation.processes)
  await fault.inflict({ installation, random, victim })
  const readyMs = await recovered(installation.processes, load)
  print(`${kind} ${round}/${rounds}  ${fault.name}: accepts again after ${readyMs} ms`)
  return readyMs
}

/** Starts what has ended, as a service manager does, and waits until every process is ready and accepts a certificate. */
const recovered = async (processes: readonly Restartable[], load: Load): Promise<number> => {
  const over = performance.now()
  const isReady = async (one: Restartable): Promise<void> => {
    let last = 'no answer'
    while (performance.now() - over < neverReadyMs) {
      last = one.hasEnded() ? await startAgain(one) : await readinessOf(one.url)
      if (last === '' && (!one.isApi || (await load.accepts(one.url)))) return
      await pause(50)
    }
    throw new Error(`Not ready after ${neverReadyMs / 1_000} s: ${last || 'it accepts no certificate'}`)
  }
  await Promise.all(processes.map(isReady))
  return Math.round(performance.now() - over)
}

const startAgain = (one: Restartable): Promise<string> => one.start().then(() => readinessOf(one.url), String)
