import { setTimeout as pause } from 'node:timers/promises'
import type { Restartable } from '../../../server/test/restartable.ts'
import type { Random } from '../faults/random.ts'
import type { Installation } from './installation.ts'

type Given = { readonly installation: Installation; readonly random: Random; readonly victim: Restartable }
/** Returns when the fault is over. */
export type Fault = { readonly name: string; inflict(given: Given): Promise<void> }

const kill: Fault = {
  name: 'kill -9 of the server',
  inflict: ({ victim }) => victim.kill(),
}

/** Sometimes past its leases of 30 s. */
const suspend: Fault = {
  name: 'SIGSTOP',
  async inflict({ victim, random }) {
    process.kill(victim.pid(), 'SIGSTOP')
    await pause(random.oneOf([200, 1_000, 3_000, 35_000]))
    process.kill(victim.pid(), 'SIGCONT')
  },
}

const killDatabase: Fault = {
  name: 'kill -9 of the database',
  async inflict({ installation: { database }, random }) {
    await database.crash()
    await pause(random.between(0, 4_000))
    await database.start()
  },
}

const fullDisk: Fault = {
  name: 'full disk',
  async inflict({ installation: { disk }, random }) {
    await disk?.fill()
    await pause(random.between(500, 6_000))
    await disk?.makeRoom()
  },
}

const cutOff: Fault = {
  name: 'database cut off',
  async inflict({ installation: { network }, random }) {
    network?.fallSilent()
    await pause(random.between(500, 20_000))
    network?.recover()
  },
}

export const faultsOf = ({ disk, network }: Installation): readonly Fault[] => [
  kill,
  suspend,
  killDatabase,
  ...(disk === undefined ? [] : [fullDisk]),
  ...(network === undefined ? [] : [cutOff]),
]
