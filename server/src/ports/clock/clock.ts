import { readFileSync } from 'node:fs'

/** The only source of time, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970, like `Date.now()`. An operator or NTP can set it. */
  now(): number
  /** Milliseconds that have passed since some moment, while the machine was suspended too. Nobody can set it. */
  steady(): number
}

/** On Linux, the monotonic clock of a process stands still while the machine is suspended; the time since boot does not. */
const readUptime = (): number | undefined => {
  try {
    const seconds = Number.parseFloat(readFileSync('/proc/uptime', 'utf8'))
    return Number.isNaN(seconds) ? undefined : seconds * 1_000
  } catch {
    return undefined
  }
}

const hasUptime = readUptime() !== undefined

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => (hasUptime ? readUptime() : undefined) ?? performance.now(),
}
