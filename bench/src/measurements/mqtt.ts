import { openBroker, startMill } from '../product.ts'
import { arrivals } from '../rounds.ts'
import type { Bench } from '../row.ts'

/** From the answer to a request that changes something to the message at the subscriber; both over the network. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using mill = await startMill(folder)
  await using subscriber = await (await openBroker(mill))('latency')
  const latency = await arrivals(300, (number, arrived) => {
    subscriber.mqtt.once('message', arrived)
    return mill.api('PATCH', `/companies/${mill.company}`, { name: `Rolling Mill ${number}` })
  })
  report.latency('commit → MQTT subscriber', latency, { p50: 50, p99: 250, note: '300 events, one by one' })
}
