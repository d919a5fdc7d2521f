/** The clock of the reader, and for how many days a status counts, if the reader says so. */
export type Reading = { readonly now: Date; readonly maxStatusAgeDays?: number | undefined }

const dayMs = 86_400_000
const usualDays = 30

/**
 * Nobody knows the age of a status without a time, so it is old. One in the future is not: clocks differ. If reader and policy
 * say how old a status may be, the shorter one counts: nobody loosens a policy in passing.
 */
export const statusAgeOf = (
  asOf: string | undefined,
  { now, maxStatusAgeDays }: Reading,
  allowed: number | undefined,
): { readonly statusAgeDays: number | undefined; readonly isStatusOld: boolean } => {
  if (asOf === undefined) return { statusAgeDays: undefined, isStatusOld: true }
  const days = (now.getTime() - Date.parse(asOf)) / dayMs
  const most = Math.min(maxStatusAgeDays ?? allowed ?? usualDays, allowed ?? Infinity)
  return { statusAgeDays: Math.max(0, Math.floor(days)), isStatusOld: days > most }
}
