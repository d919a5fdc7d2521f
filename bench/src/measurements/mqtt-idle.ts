import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestClient } from '../../../server/test/mqtt-client.ts'
import { residentMegabytesOf } from '../processes.ts'
import { type Broker, callerOf, signUp, startServer, subscribe } from '../product.ts'
import { rateOf } from '../rounds.ts'
import type { Bench } from '../row.ts'

const clients = 10_000
const atOnce = 50
const settleMs = 3_000

/** Each client has a session that lasts and a subscription, and none sends anything. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const dataDir = join(folder, 'data')
  const environment = { MILLSEAL_MQTT_CONNECTIONS_PER_ADDRESS: String(clients * 2) }
  await using server = await startServer(dataDir, environment)
  const token = await signUp(server, dataDir)
  const broker = await callerOf(server.url, { authorization: `Bearer ${token}` })<Broker>('GET', '/broker')
  await pause(settleMs)
  const before = residentMegabytesOf(server.pid)
  const subscribers: TestClient[] = []
  const connectAll = async (): Promise<void> => {
    while (subscribers.length < clients) {
      const names = Array.from({ length: atOnce }, (_, index) => `idle-${subscribers.length + index}`)
      subscribers.push(...(await Promise.all(names.map((name) => subscribe(broker, token, name)))))
    }
  }
  const connecting = await rateOf(clients, connectAll, server.pid)
  report.rate('MQTT clients connected and subscribed', connecting, { note: `${atOnce} at once` })
  await pause(settleMs)
  const after = residentMegabytesOf(server.pid)
  report.value(`memory of ${clients} idle connections`, after - before, 'MB', {
    goal: { atMost: 400 },
    note: `the server process grew from ${Math.round(before)} MB to ${Math.round(after)} MB`,
  })
}
