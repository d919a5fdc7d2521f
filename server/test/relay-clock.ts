import type { ClientConfig } from 'pg'

/** Time in a relay process runs so fast that pauses of hours between attempts take seconds. */
export const speed = 1_000

/** 20 seconds of the machine: on a busy one, a shorter lease would end before the attempt it is for, again and again. */
export const leaseMs = 20_000 * speed

/** Sent to a relay process that is to begin. */
export type Beginning = {
  readonly connection: ClientConfig
  readonly startedAtMs: number
  /** A process that replaces a killed one starts with the clock ahead by a lease, so that it need not wait for it. */
  readonly aheadMs: number
}
