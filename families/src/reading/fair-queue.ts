/** Jobs of clients that take turns: the many jobs of one delay each job of another by one job. */
export type FairQueue<J> = {
  readonly add: (job: J) => void
  readonly next: () => J | undefined
  readonly size: () => number
  readonly sizeOf: (client: string) => number
}

export const takingTurns = <J extends { readonly client: string }>(): FairQueue<J> => {
  // A map keeps the order in which clients were added, which is the order of their turns.
  const waiting = new Map<string, J[]>()
  let size = 0
  return {
    size: () => size,
    sizeOf: (client) => waiting.get(client)?.length ?? 0,
    add: (job) => {
      const own = waiting.get(job.client)
      if (own === undefined) waiting.set(job.client, [job])
      else own.push(job)
      size += 1
    },
    next: () => {
      const [turn] = waiting
      if (turn === undefined) return undefined
      const [client, own] = turn
      const job = own.shift()
      waiting.delete(client)
      if (own.length > 0) waiting.set(client, own)
      size -= 1
      return job
    },
  }
}
