/**
 * Group commit: what arrives while one write is under way goes out together with the next. Each call resolves when its
 * own item was written, and rejects with the error of the write that held it.
 */
export const createBatch = <T>(
  write: (items: readonly T[]) => Promise<void>,
  { size }: { readonly size: number },
): ((item: T) => Promise<void>) => {
  type Waiting = { item: T; resolve: () => void; reject: (reason: unknown) => void }
  let waiting: Waiting[] = []
  let writing = false

  const drain = async (): Promise<void> => {
    writing = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, size)
      waiting = waiting.slice(size)
      try {
        await write(batch.map(({ item }) => item))
        for (const { resolve } of batch) resolve()
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
