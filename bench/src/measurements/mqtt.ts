import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type MqttSocket, openMqttSocket } from '../mqtt-socket.ts'
import { residentMegabytesOf } from '../processes.ts'
import type { Measurement } from '../row.ts'
import { startServer } from '../server-process.ts'
import { signUp } from '../sign-up.ts'
import { median, percentile } from '../statistics.ts'

const singles = 300
const pauseMs = 5

/** From the answer to the call that changed something to the subscriber who is told; both over the network stack. */
export const mqtt: Measurement = {
  name: 'mqtt',
  async measure({ server }) {
    const { url, token } = await server('unlimited')
    const api = callerOf(url, token)
    const { id } = await api<{ id: string }>('POST', '/companies', company)
    const subscriber = await subscribe(await api<Broker>('GET', '/broker'), token, 'latency')
    const latencies: number[] = []
    for (let number = 0; number < singles; number += 1) {
      const told = new Promise<number>((resolve) => subscriber.onMessage(() => resolve(performance.now())))
      await api('PATCH', `/companies/${id}`, { name: `Rolling Mill ${number}` })
      const answeredAt = performance.now()
      latencies.push(Math.max(0, (await told) - answeredAt))
      await pause(pauseMs)
    }
    subscriber.socket.destroy()
    return [
      {
        what: 'commit → MQTT subscriber, p50',
        value: median(latencies),
        unit: 'ms',
        goal: { atMost: 50 },
        note: `${singles} events, one by one`,
      },
      { what: '… p99', value: percentile(latencies, 0.99), unit: 'ms', goal: { atMost: 250 } },
    ]
  },
}

const clients = 10_000
const atOnce = 50
const settleMs = 3_000

/** Each with a session that is kept and a subscription; none says anything. */
export const mqttIdle: Measurement = {
  name: 'mqtt-idle',
  deadlineMs: 120_000,
  async measure({ folder, say }) {
    const dataDir = join(await folder('mqtt'), 'data')
    await using server = await startServer(dataDir, {
      MILLSEAL_MQTT_CONNECTIONS_PER_ADDRESS: String(clients * 2),
    })
    const token = await signUp(server.url, dataDir)
    const broker = await callerOf(server.url, token)<Broker>('GET', '/broker')
    await pause(settleMs)
    const atFirst = residentMegabytesOf(server.pid)
    const startedAt = performance.now()
    const subscribers: MqttSocket[] = []
    while (subscribers.length < clients) {
      const names = Array.from({ length: atOnce }, (_, index) => `idle-${subscribers.length + index}`)
      subscribers.push(...(await Promise.all(names.map((name) => subscribe(broker, token, name)))))
    }
    const perSecond = (clients * 1_000) / (performance.now() - startedAt)
    say(`${clients} clients are connected`)
    await pause(settleMs)
    const atLast = residentMegabytesOf(server.pid)
    for (const { socket } of subscribers) socket.destroy()
    if (atFirst === undefined || atLast === undefined) return []
    return [
      {
        what: `${clients} idle connections`,
        value: atLast - atFirst,
        unit: 'MB',
        goal: { atMost: 400 },
        note: `the server process went from ${Math.round(atFirst)} MB to ${Math.round(atLast)} MB`,
      },
      { what: 'connected and subscribed', value: perSecond, unit: '/s', note: `${atOnce} at once` },
    ]
  },
}

type Broker = {
  readonly username: string
  readonly clientIdPrefix: string
  readonly mqttUrl: string
  readonly topics: readonly string[]
}

const company = {
  name: 'Rolling Mill',
  vatId: 'ATU12345675',
  address: { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' },
}

const subscribe = (
  { mqttUrl, username, clientIdPrefix, topics }: Broker,
  password: string,
  name: string,
): Promise<MqttSocket> =>
  openMqttSocket({
    url: mqttUrl,
    username,
    password,
    clientId: `${clientIdPrefix}${name}`,
    filter: topics[0] ?? '',
  })

const callerOf =
  (url: string, token: string) =>
  async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }
