import { startDeadline } from './deadline.ts'

/** Resolves when the work has settled, or when the time is over: whichever comes first. Never rejects. */
export const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
  const over = Promise.withResolvers<void>()
  using _deadline = startDeadline(ms, over.resolve)
  await Promise.race([work.catch(() => {}), over.promise])
}
