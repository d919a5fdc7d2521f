/** As `2026-11-22`. Quotas are counted by days in UTC. */
export const utcDay = (time: Date): string => time.toISOString().slice(0, 10)
