/** More than clocks are corrected by all the time. */
const toleranceMs = 1_000

/** Tells whether the clock was set back since the last call; true at the first one, because it may have been before. */
export const watchForSetBack = (clock: { now(): number }): (() => boolean) => {
  let latest: number | undefined
  return () => {
    const now = clock.now()
    const isSetBack = latest === undefined || now < latest - toleranceMs
    latest = isSetBack ? now : Math.max(now, latest ?? now)
    return isSetBack
  }
}
