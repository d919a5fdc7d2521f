/** Never negative: the clock may have been set back. */
export const secondsSince = (time: Date, nowMs: number): number => Math.max(0, nowMs - time.getTime()) / 1_000
