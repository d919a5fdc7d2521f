import type { Mode } from '@millseal/contract'
import type { Clock } from '../../../ports/clock/clock.ts'
import { LedgerStopped } from '../../../ports/ledger/ledger.ts'

/** The clock of this machine cannot be right. Nothing is recorded until it is corrected or an operator accepts it. */
export class ClockRefused extends LedgerStopped {}

/** An operator confirmed the clock: what it said, and the newest time of the log at that moment. */
export type AcceptedTime = { readonly time: Date; readonly newest: Date }

export type LogClock = {
  /** The time of the next entries, never before `newest`, the newest time of the log. Throws `ClockRefused`. */
  next(newest: Date | undefined): Date
  /** Why `next` would throw. */
  obstacle(newest: Date | undefined): ClockRefused | undefined
  /** Takes notice of what an operator confirmed. May be called again with the same confirmation. */
  accept(accepted: AcceptedTime | undefined): void
}

const toleranceMs = 60_000
/** Small corrections of the clock, as of a daemon that runs once a day, are no jump, however many there are. */
const baseMs = 86_400_000

/** Compares the clock with the time that has passed since yesterday or this call, and with the newest time of the log. */
export const createLogClock = ({ clock, mode }: { readonly clock: Clock; readonly mode: Mode }): LogClock => {
  const takeBase = () => ({ wall: clock.now(), steady: clock.steady() })
  let base = takeBase()
  let accepted: AcceptedTime | undefined

  const isBehind = (now: number, newest: Date | undefined): newest is Date => {
    if (newest === undefined || now >= newest.getTime() - toleranceMs) return false
    const isAccepted =
      accepted !== undefined && accepted.newest >= newest && now >= accepted.time.getTime() - toleranceMs
    return !isAccepted
  }
  const obstacle: LogClock['obstacle'] = (newest) => {
    const now = clock.now()
    const jumped = now - base.wall - (clock.steady() - base.steady)
    if (Math.abs(jumped) > toleranceMs) {
      const direction = jumped > 0 ? 'forward' : 'back'
      return refusal({
        mode,
        now,
        what: `The clock of this machine was set ${direction} by ${durationOf(Math.abs(jumped))}`,
      })
    }
    if (!isBehind(now, newest)) {
      if (clock.steady() - base.steady > baseMs) base = takeBase()
      return undefined
    }
    return refusal({
      mode,
      now,
      what: `The clock of this machine is ${durationOf(newest.getTime() - now)} behind the newest time of the ${mode} log`,
    })
  }
  return {
    obstacle,
    next(newest) {
      const refused = obstacle(newest)
      if (refused !== undefined) throw refused
      return new Date(Math.max(clock.now(), newest?.getTime() ?? 0))
    },
    accept(given) {
      if (given === undefined || given.time.getTime() === accepted?.time.getTime()) return
      accepted = given
      // An older confirmation says nothing of what the clock did since.
      if (Math.abs(clock.now() - given.time.getTime()) <= toleranceMs) base = takeBase()
    },
  }
}

const refusal = ({ mode, now, what }: { readonly mode: Mode; readonly now: number; readonly what: string }) =>
  new ClockRefused(
    `${what}; nothing is recorded. Correct the clock, or, if it is right that it is ${new Date(now).toISOString()}, run millseal log accept-time --mode ${mode}`,
  )

const units = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const

const durationOf = (ms: number): string => {
  const rounded = Math.round(ms / 1_000) * 1_000
  const [unit, length] = units.find(([, unitMs]) => rounded >= 2 * unitMs) ?? (['seconds', 1_000] as const)
  return `${Math.round(rounded / length)} ${unit}`
}
