import type { WrongCodes } from './factors.store.ts'

const maxFailures = 5
const windowMs = 60 * 60 * 1_000

export const isLocked = (wrong: WrongCodes, now: Date): boolean =>
  wrong.failures >= maxFailures && isRecent(wrong, now)

/** A right code does not reset the count: it must not give an attacker five more guesses. */
export const countWrongCode = (wrong: WrongCodes, now: Date): { failures: number; failedAt: Date } => ({
  failures: isRecent(wrong, now) ? wrong.failures + 1 : 1,
  failedAt: now,
})

const isRecent = ({ failedAt }: WrongCodes, now: Date): boolean =>
  failedAt !== null && Math.abs(now.getTime() - failedAt.getTime()) < windowMs
