import type { TestClient } from '../../../server/test/mqtt-client.ts'
import { openBroker, startMill } from '../product.ts'
import { alternate, arrivals, repeat } from '../rounds.ts'
import type { Bench } from '../row.ts'

const [events, others] = [300, 50]
/** More than the broker sends to a reader that acknowledges nothing. */
const behind = 700

/**
 * From the answer to a request that changes something to the message at the subscriber, both over the network: alone, beside
 * others that read the same events, and beside as many that stopped reading, with open connections.
 */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using mill = await startMill(folder)
  const connect = await openBroker(mill)
  await using subscriber = await connect('latency')
  const change = (number: number) =>
    mill.api('PATCH', `/companies/${mill.company}`, { name: `Rolling Mill ${number}` })
  const measureArrivals = () =>
    arrivals(events, (number, arrived) => {
      subscriber.mqtt.once('message', arrived)
      return change(number)
    })
  const beside = async (prepare: (client: TestClient) => void) => {
    // A client that does not read hears no answer to a ping.
    const open = (_: unknown, turn: number) => connect(`other-${turn}`, { clean: true, keepalive: 0 })
    const clients = await Promise.all(Array.from({ length: others }, open))
    clients.forEach(prepare)
    await repeat(change, { times: behind, concurrent: 4 })
    try {
      return await measureArrivals()
    } finally {
      for (const { mqtt } of clients) mqtt.end(true)
    }
  }
  const { medians, ratios } = await alternate({
    alone: measureArrivals,
    reading: () => beside(() => {}),
    stopped: () => beside(stopReading),
  })
  const note = `${events} events, one by one`
  report.latency('commit → MQTT subscriber', medians.alone, { p50: 50, p99: 250, note })
  const ratio = ratios((round) => round.stopped.p50Ms / round.reading.p50Ms)
  const label = `… p50 beside ${others} that stopped reading : beside ${others} that read`
  report.ratio(label, ratio, { goal: { atMost: 1.2 } })
}

const stopReading = ({ mqtt: { stream } }: TestClient): void => {
  stream.unpipe()
  stream.pause()
}
