const windowMs = 60_000

export type Spending = {
  readonly add: (client: string, processorMs: number) => void
  /** Until the client may spend again; 0 if it may now. */
  readonly blockedSeconds: (client: string) => number
}

/** The processor time of each client, in minutes that start with its first file. A limit of 0 means none. */
export const createSpending = (options: {
  readonly nowMs: () => number
  readonly perMinute: number
}): Spending => {
  const { nowMs, perMinute } = options
  const clients = new Map<string, { startMs: number; spentMs: number }>()
  const find = (client: string) => {
    const found = clients.get(client)
    if (found === undefined || found.startMs + windowMs > nowMs()) return found
    clients.delete(client)
    return undefined
  }
  const forgetOld = (): void => {
    for (const [client, { startMs }] of clients) {
      if (startMs + windowMs > nowMs()) return
      clients.delete(client)
    }
  }
  return {
    add: (client, processorMs) => {
      if (perMinute === 0) return
      forgetOld()
      const found = find(client)
      if (found === undefined) clients.set(client, { startMs: nowMs(), spentMs: processorMs })
      else found.spentMs += processorMs
    },
    blockedSeconds: (client) => {
      const found = find(client)
      if (found === undefined || found.spentMs < perMinute) return 0
      return Math.max(1, Math.ceil((found.startMs + windowMs - nowMs()) / 1_000))
    },
  }
}
