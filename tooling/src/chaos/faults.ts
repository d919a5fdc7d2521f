import { setTimeout as pause } from 'node:timers/promises'
import type { Restartable } from '../../../server/test/restartable.ts'
import type { Installation } from './installation.ts'

export type Random = {
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
  oneOf<T>(items: readonly T[]): T
}

/** Numbers that a seed determines (mulberry32), so that a run can be repeated. */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    between,
    oneOf(items) {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new RangeError('There is nothing to choose from')
      return item
    },
  }
}

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
