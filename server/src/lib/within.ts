/** Resolves when the work has settled, or when the time is over: whichever comes first. Never rejects. */
export const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, ms)
  await Promise.race([work.catch(() => {}), over.promise])
  clearTimeout(timer)
}
