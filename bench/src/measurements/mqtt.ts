import { alternate, arrivals, type Bench, repeat } from '../measuring.ts'
import { openBroker, startMill } from '../product.ts'

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
  const hear = () => new Promise((resolve) => subscriber.mqtt.once('message', resolve))
  const measureArrivals = () => arrivals(events, change, hear)
  const beside = async (areReading: boolean) => {
    // A client that does not read hears no answer to a ping.
    const open = (_: unknown, turn: number) => connect(`other-${turn}`, { clean: true, keepalive: 0 })
    const clients = await Promise.all(Array.from({ length: others }, open))
    if (!areReading) for (const { mqtt } of clients) mqtt.stream.unpipe().pause()
    await repeat(change, { times: behind, concurrent: 4 })
    const latency = await measureArrivals()
    for (const { mqtt } of clients) mqtt.end(true)
    return latency
  }
  const { medians, ratios } = await alternate({
    alone: measureArrivals,
    reading: () => beside(true),
    stopped: () => beside(false),
  })
  const note = `${events} events, one by one`
  report.latency('commit → MQTT subscriber', medians.alone, { p50: 50, p99: 250, note })
  const label = `… p50 beside ${others} that stopped reading : beside ${others} that read`
  report.ratio(label, ratios('stopped', 'reading', 'p50Ms'), { atMost: 1.2 })
}
