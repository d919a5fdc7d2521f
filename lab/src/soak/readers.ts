import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../../../server/test/eventually.ts'
import type { Received, TestClient } from '../../../server/test/mqtt-client.ts'
import { type Mill, openBroker } from '../../../bench/src/product.ts'
import { repeat } from '../../../bench/src/measuring.ts'

const [atOnce, againMs] = [50, 1_000]

/**
 * MQTT clients with kept sessions, which all hear of each change of a wallet. A connection ends with its token: its
 * client then connects again, with the token of that moment.
 */
export const openReaders = async (mill: Mill, count: number) => {
  const over = new AbortController()
  const clients: TestClient[] = []
  /** Who has an event that others do not have yet. */
  const waiting = new Map<string, Set<number>>()
  const complete = new Set<string>()
  let [received, connections, refused] = [0, 0, 0]
  const note = (reader: number, { payload }: Received): void => {
    received += 1
    // Each change has another payload.
    if (complete.has(payload)) return
    const readers = (waiting.get(payload) ?? new Set()).add(reader)
    waiting.set(payload, readers)
    if (readers.size < count) return
    waiting.delete(payload)
    complete.add(payload)
  }
  const connect = async (reader: number): Promise<void> => {
    const open = await openBroker(mill, 'wallets/update_one')
    clients[reader] = await open(`reader-${reader}`, { onReceived: (message) => note(reader, message) })
    connections += 1
  }
  const stay = async (reader: number): Promise<void> => {
    while (!over.signal.aborted) {
      const { mqtt, received: kept } = clients[reader] as TestClient
      // It keeps what it receives, which would fill the memory within hours.
      const emptying = setInterval(() => (kept.length = 0), againMs)
      if (mqtt.connected) await new Promise<void>((closed) => mqtt.once('close', closed))
      clearInterval(emptying)
      while (
        !over.signal.aborted &&
        !(await connect(reader).then(
          () => true,
          () => false,
        ))
      ) {
        refused += 1
        await pause(againMs)
      }
    }
  }
  if (count > 0) await repeat(connect, { times: count, concurrent: atOnce })
  const staying = Promise.all(clients.map((_, reader) => stay(reader)))
  return {
    /** Once everybody has heard of so many changes, or when that takes too long. */
    async count(changes: number) {
      if (count > 0) await eventually(() => complete.size >= changes).catch(() => {})
      const incomplete = [...waiting.values()].reduce((sum, { size }) => sum + size, 0)
      const missed = waiting.size * count - incomplete
      const repeated = received - complete.size * count - incomplete
      return { complete: complete.size, missed, repeated, connections, refused }
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      for (const { mqtt } of clients) mqtt.end(true)
      await staying
    },
  }
}
