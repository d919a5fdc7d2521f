import { setTimeout as pause } from 'node:timers/promises'
import { residentMegabytesOf } from '../../../server/test/process-usage.ts'
import { type Bench, repeat } from '../measuring.ts'
import { openBroker, startMill } from '../product.ts'

const [clients, atOnce] = [10_000, 50]

/** Each client has a session that lasts and a subscription, and none sends anything. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const environment = { MILLSEAL_MQTT_CONNECTIONS_PER_ADDRESS: String(clients * 2) }
  await using mill = await startMill(folder, environment)
  const { pid } = mill
  const subscribe = await openBroker(mill)
  await pause(3_000)
  const before = residentMegabytesOf(pid)
  const connect = (turn: number) => subscribe(`idle-${turn}`)
  const connecting = await repeat(connect, { times: clients, concurrent: atOnce, pid })
  report.rate('MQTT clients connected and subscribed', connecting, { note: `${atOnce} at once` })
  await pause(3_000)
  const after = residentMegabytesOf(pid)
  const note = `the server process grew from ${Math.round(before)} MB to ${Math.round(after)} MB`
  report.value(`memory of ${clients} idle connections`, after - before, 'MB', { atMost: 400, note })
}
