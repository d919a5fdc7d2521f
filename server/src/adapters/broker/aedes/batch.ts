/**
 * Group commit: items that arrive during a write are written together in the next one. Each call resolves with the result
 * at its position, or rejects with the error of its write.
 */
export const createBatch = <T, R>(
  write: (items: readonly T[]) => Promise<readonly R[]>,
  { size }: { readonly size: number },
): ((item: T) => Promise<R>) => {
  type Waiting = { item: T; resolve: (result: R) => void; reject: (reason: unknown) => void }
  let waiting: Waiting[] = []
  let writing = false

  const drain = async (): Promise<void> => {
    writing = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, size)
      waiting = waiting.slice(size)
      try {
        const results = await write(batch.map(({ item }) => item))
        batch.forEach(({ resolve }, index) => resolve(results[index] as R))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    writing = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!writing) void drain()
    })
}
