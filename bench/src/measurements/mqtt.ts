import { join } from 'node:path'
import { type Broker, callerOf, companyOf, signUp, startServer, subscribe } from '../product.ts'
import { latenciesOf } from '../rounds.ts'
import type { Bench } from '../row.ts'
import { median, percentile } from '../statistics.ts'

/** From the answer to a request that changes something to the message at the subscriber; both over the network. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const dataDir = join(folder, 'data')
  await using server = await startServer(dataDir)
  const token = await signUp(server, dataDir)
  const api = callerOf(server.url, { authorization: `Bearer ${token}` })
  const { id } = await api('POST', '/companies', companyOf('Rolling Mill'))
  await using subscriber = await subscribe(await api<Broker>('GET', '/broker'), token, 'latency')
  const latencies = await latenciesOf(300, (number, arrived) => {
    subscriber.mqtt.once('message', arrived)
    return api('PATCH', `/companies/${id}`, { name: `Rolling Mill ${number}` })
  })
  const note = '300 events, one by one'
  report.value('commit → MQTT subscriber, p50', median(latencies), 'ms', { goal: { atMost: 50 }, note })
  report.value('… p99', percentile(latencies, 0.99), 'ms', { goal: { atMost: 250 }, note })
}
