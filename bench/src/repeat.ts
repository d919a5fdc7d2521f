import { percentile } from './statistics.ts'

export type Repeated = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number }

/** So many at once, each beginning anew when it is done, for so long. */
export const repeat = async (
  work: () => Promise<unknown>,
  { concurrent, ms }: { concurrent: number; ms: number },
): Promise<Repeated> => {
  const durations: number[] = []
  const startedAt = performance.now()
  const until = startedAt + ms
  const loop = async (): Promise<void> => {
    for (let now = performance.now(); now < until; ) {
      await work()
      const after = performance.now()
      durations.push(after - now)
      now = after
    }
  }
  await Promise.all(Array.from({ length: concurrent }, loop))
  return {
    perSecond: (durations.length * 1_000) / (performance.now() - startedAt),
    p50Ms: percentile(durations, 0.5),
    p99Ms: percentile(durations, 0.99),
  }
}
