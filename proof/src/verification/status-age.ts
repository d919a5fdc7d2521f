/** The clock of the reader, and for how many days a status counts. */
export type Reading = { readonly now: Date; readonly maxStatusAgeDays?: number | undefined }

const dayMs = 86_400_000

/** Nobody knows the age of a status without a time, so it is old. One in the future is not: clocks differ. */
export const statusAgeOf = (
  asOf: string | undefined,
  { now, maxStatusAgeDays = 30 }: Reading,
): { readonly statusAgeDays: number | undefined; readonly isStatusOld: boolean } => {
  if (asOf === undefined) return { statusAgeDays: undefined, isStatusOld: true }
  const days = (now.getTime() - Date.parse(asOf)) / dayMs
  return { statusAgeDays: Math.max(0, Math.floor(days)), isStatusOld: days > maxStatusAgeDays }
}
