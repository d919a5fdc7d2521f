import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lacksPackage } from './debian-package.ts'

const pattern = '/usr/lib/*/faketime/libfaketimeMT.so.1'
const libraryOf = (): string | undefined => globSync(pattern)[0]

/** Why libfaketime cannot be used here, or false. */
export const lacksFaketime = async (): Promise<string | false> => {
  if (libraryOf() !== undefined) return false
  const missing = await lacksPackage({ name: 'libfaketime', file: '/usr/share/doc/libfaketime' })
  return libraryOf() === undefined ? missing || 'libfaketime has no library here' : false
}

export type FakedClock = {
  /** For a process whose clock this is. Timers run on: only the time of day is another one. */
  readonly environment: Readonly<Record<string, string>>
  /** Sets the clock this far from that of the machine, while the process runs. */
  set(offsetSeconds: number): Promise<void>
  now(): number
}

export const fakeClock = async (folder: string): Promise<FakedClock> => {
  const file = join(folder, 'clock')
  let offset = 0
  const set = async (offsetSeconds: number): Promise<void> => {
    offset = offsetSeconds
    await writeFile(file, `${offset < 0 ? '' : '+'}${offset}`)
  }
  await set(0)
  return {
    environment: {
      LD_PRELOAD: libraryOf() ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    set,
    now: () => Date.now() + offset * 1_000,
  }
}
