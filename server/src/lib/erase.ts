/** A statement over a year of rows would be cancelled after 30 seconds, and start again from nothing an hour later. */
export const eraseBatch = 1_000

/** Erases batch by batch until nothing is left or the signal aborts. What is erased stays erased; the next run continues. */
export const eraseAll = async (eraseSome: () => Promise<number>, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) if ((await eraseSome()) < eraseBatch) return
}
