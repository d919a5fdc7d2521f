import { setTimeout as pause } from 'node:timers/promises'
import { residentMegabytesOf } from '../../../server/test/process-usage.ts'
import type { Differences } from '../faults/count.ts'
import { foundMill } from '../faults/mill.ts'
import type { Random } from '../faults/random.ts'
import { type Silence, silencesIn } from './availability.ts'
import { type Certificates, openCertificates } from '../faults/certificates.ts'
import { keepCheckpoints } from './checkpoints.ts'
import { countAfterwards, countWhileRunning, readRecordedMs } from './count.ts'
import { chooseFault } from './faults.ts'
import { type Installation, openInstallation } from './installation.ts'
import { type Load, startLoad } from './load.ts'
import { manage, type ServiceManager } from './service-manager.ts'
import { measureSizes, type Sizes } from './sizes.ts'
import { subscribe } from './subscriber.ts'

export type Wanted = {
  /** Certificates a second. */
  readonly rate: number
  /** From the start of a fault to that of the next. */
  readonly everyMs: number
  readonly checkpointEveryMs: number
  readonly random: Random
  /** Asked after each fault. */
  readonly isOver: (inflicted: number) => boolean
  readonly print: (line: string) => void
}

export type Inflicted = Silence & { readonly name: string }
export const measured = ['accept', 'record', 'verify', 'mqtt', 'mqtt reconnect'] as const
export type Measured = (typeof measured)[number]
type Memory = ReadonlyMap<string, number>

export type Result = {
  readonly certificates: string
  readonly seconds: number
  readonly accepted: number
  readonly skipped: number
  readonly acceptedAfterMs: readonly number[]
  /** From the answer of each certificate until its entry, and until its first MQTT message. */
  readonly recordedAfterMs: readonly number[]
  readonly sentAfterMs: readonly number[]
  readonly answers: ReadonlyMap<number, number>
  readonly checkpoints: number
  readonly repeatedMessages: number
  readonly faults: readonly Inflicted[]
  readonly silences: Readonly<Record<Measured, readonly Silence[]>>
  readonly memory: { readonly before: Memory; readonly after: Memory; readonly starts: Memory }
  readonly sizes: { readonly before: Sizes; readonly after: Sizes }
  /** Requests to S3 by method, from the first start on. */
  readonly storeRequests: ReadonlyMap<string, number>
  readonly differences: Differences
}

/** Inflicts faults at random on an installation under load, and counts at the end. */
export const run = async (wanted: Wanted): Promise<Result> => {
  const certificates = await openCertificates()
  await using installation = await openInstallation()
  const mill = await foundMill(installation)
  await using manager = await manage(installation.processes)
  const before = { sizes: await measureSizes(installation), memory: memoryOf(installation) }
  await using subscriber = await subscribe(installation, mill)
  const urls = installation.processes.filter(({ isApi }) => isApi).map(({ url }) => url)
  const { load, faults, notes, seconds } = await strain({
    ...wanted,
    installation,
    manager,
    mill,
    certificates,
    urls,
  })
  const { accepted, acceptedAfterMs, answers, surprises } = load
  wanted.print(`${accepted.length} accepted; waits for what they cause, and counts`)
  const given = { installation, mill, accepted, subscriber, notes }
  const running = await countWhileRunning({ ...given, manager })
  const memory = { before: before.memory, after: memoryOf(installation), starts: manager.starts }
  await manager[Symbol.asyncDispose]()
  const differences = [...surprises, ...running, ...(await countAfterwards(given))]
  const recordedMs = await readRecordedMs(installation)
  const recorded = [...recordedMs.values()]
  const { firstMs } = subscriber
  return {
    certificates: certificates.what,
    seconds,
    accepted: accepted.length,
    skipped: load.skipped(),
    acceptedAfterMs,
    recordedAfterMs: accepted.flatMap(({ hash, atMs }) => since(atMs, recordedMs.get(hash))),
    sentAfterMs: accepted.flatMap(({ number, atMs }) => since(atMs, firstMs.get(number))),
    answers,
    checkpoints: notes.length,
    repeatedMessages: subscriber.repeated(),
    faults,
    silences: {
      accept: silencesIn(load.accepting),
      record: silencesIn({ wanted: load.accepting.done, done: recorded }),
      verify: silencesIn(load.verifying),
      mqtt: silencesIn({ wanted: recorded, done: [...firstMs.values()] }),
      'mqtt reconnect': subscriber.disconnected,
    },
    memory,
    storeRequests: installation.store.requests,
    sizes: { before: before.sizes, after: await measureSizes(installation) },
    differences,
  }
}

/** None if it never came. Another process may have done it before the client had its answer. */
const since = (fromMs: number, toMs: number | undefined): number[] =>
  toMs === undefined ? [] : [Math.max(0, toMs - fromMs)]

type Strain = Wanted & {
  readonly installation: Installation
  readonly manager: ServiceManager
  readonly mill: Awaited<ReturnType<typeof foundMill>>
  readonly certificates: Certificates
  readonly urls: readonly string[]
}

/** Resolves when all requests have succeeded. */
const strain = async (
  given: Strain,
): Promise<{
  readonly load: Load
  readonly faults: readonly Inflicted[]
  readonly notes: readonly string[]
  readonly seconds: number
}> => {
  const startMs = performance.now()
  const kept = keepCheckpoints(given.urls, given.checkpointEveryMs)
  const load = startLoad(given)
  const faults: Inflicted[] = []
  try {
    while (!given.isOver(faults.length)) {
      const dueMs = performance.now() + given.everyMs
      const inflicted = await inflictOne(given)
      if (inflicted === undefined) continue
      faults.push(inflicted)
      const lasted = ((inflicted.toMs - inflicted.fromMs) / 1_000).toFixed(1)
      given.print(`${faults.length}  ${inflicted.name}, ${lasted} s; ${load.accepted.length} accepted`)
      await pause(Math.max(0, dueMs - performance.now()))
    }
  } finally {
    await load[Symbol.asyncDispose]()
    await kept[Symbol.asyncDispose]()
  }
  return { load, faults, notes: kept.notes, seconds: (performance.now() - startMs) / 1_000 }
}

/** Undefined if there was nothing to harm. */
const inflictOne = async (given: Strain): Promise<Inflicted | undefined> => {
  const fault = chooseFault(given)
  const fromMs = Date.now()
  if (await fault.inflict()) return { name: fault.name, fromMs, toMs: Date.now() }
  await pause(100)
  return undefined
}

const memoryOf = ({ processes }: Installation): Memory =>
  new Map(processes.map(({ name, pid }) => [name, residentMegabytesOf(pid())]))
