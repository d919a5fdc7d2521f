import { setTimeout as pause } from 'node:timers/promises'
import type { Fault as StoreFault } from '../../../server/test/s3-server.ts'
import type { Random } from '../faults/random.ts'
import type { Installation, Process } from './installation.ts'
import type { ServiceManager } from './service-manager.ts'

export type Fault = {
  readonly name: string
  /** Resolves with false if there was nothing to harm, otherwise with true when the fault is over. */
  inflict(): Promise<boolean>
}

type Given = {
  readonly installation: Installation
  readonly manager: ServiceManager
  readonly random: Random
}

const suspendMs = [1_000, 10_000] as const
const cutOffMs = [1_000, 10_000] as const
const restartMs = [0, 4_000] as const

/** Chooses a part of the installation, then what happens to it. */
export const chooseFault = (given: Given): Fault => given.random.oneOf(given.random.oneOf(partsOf(given)))

const partsOf = (given: Given): readonly (readonly Fault[])[] => [
  ...given.installation.processes.map((process) => faultsOfProcess(given, process.name, async () => process)),
  faultsOfProcess(given, 'ledger writer', () => writerOf(given)),
  faultsOfRabbitMq(given),
  faultsOfS3(given),
  faultsOfPostgres(given),
  [faultOfNetwork(given)],
]

/** While it is suspended, what it does stays unfinished, and its connections stay open. */
const suspend = async (pid: number, random: Random): Promise<void> => {
  process.kill(pid, 'SIGSTOP')
  try {
    await pause(random.between(...suspendMs))
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

const faultsOfProcess = (
  { manager, random }: Given,
  name: string,
  find: () => Promise<Process | undefined>,
): readonly Fault[] => {
  const fault = (what: string, harm: (victim: Process) => Promise<void>): Fault => ({
    name: `${name} ${what}`,
    async inflict() {
      const victim = await find()
      if (victim === undefined || !manager.isUp(victim)) return false
      await harm(victim)
      return true
    },
  })
  return [
    fault('kill -9', (victim) => victim.kill()),
    fault('suspended', (victim) => suspend(victim.pid(), random)),
    fault('stopped', (victim) => manager.stop(victim)),
  ]
}

const writerOf = async ({ installation, manager }: Given): Promise<Process | undefined> => {
  for (const one of installation.processes.filter(manager.isUp)) {
    const metrics = await installation.readMetrics(one).catch(() => '')
    if (/^millseal_ledger_writer\{mode="test"\} 1$/m.test(metrics)) return one
  }
  return undefined
}

const faultsOfRabbitMq = ({ installation: { rabbit }, random }: Given): readonly Fault[] => [
  always('RabbitMQ kill -9', () => rabbit.restart()),
  always('RabbitMQ suspended', () => suspend(-rabbit.processGroup(), random)),
]

const faultsOfS3 = ({ installation: { s3, store }, random }: Given): readonly Fault[] => {
  const answers = async (fault: StoreFault): Promise<void> => {
    store.fault = () => fault
    await pause(random.between(...cutOffMs))
    store.fault = () => undefined
    // What was not answered happens late.
    await store.release()
  }
  return [
    always('S3 suspended', () => suspend(s3.pid, random)),
    always('S3 loses answers', () => answers('lost')),
    always('S3 answers 503', () => answers(503)),
    always('S3 cut off', () => answers('silent')),
  ]
}

const faultsOfPostgres = ({ installation: { postgres }, random }: Given): readonly Fault[] => [
  always('PostgreSQL fast restart', async () => {
    await postgres.stop()
    await postgres.start()
  }),
  always('PostgreSQL kill -9', async () => {
    await postgres.crash()
    await pause(random.between(...restartMs))
    await postgres.start()
  }),
]

const faultOfNetwork = ({ installation: { network }, random }: Given): Fault =>
  always('database cut off', async () => {
    network.fallSilent()
    await pause(random.between(...cutOffMs))
    network.recover()
  })

const always = (name: string, harm: () => Promise<void>): Fault => ({
  name,
  async inflict() {
    await harm()
    return true
  },
})
