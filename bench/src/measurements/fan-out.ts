import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { attachEmbedded } from '../../../server/src/adapters/database/embedded/attach.ts'
import { eventually } from '../../../server/test/eventually.ts'
import { plantEvents } from '../../../server/test/flood.ts'
import { connectMqtt, type TestClient } from '../../../server/test/mqtt-client.ts'
import { freePort } from '../../../server/test/server-process.ts'
import { silentLog } from '../../../server/test/silent-log.ts'
import { openBroker, startMill } from '../product.ts'
import { alternate, type Rate, rateOf } from '../rounds.ts'
import { type Bench, Skipped } from '../row.ts'

const [subscribers, messages, payloadBytes] = [100, 1_000, 1_500]
const mosquitto = '/usr/sbin/mosquitto'

/** What another subscriber of the same messages costs: kept sessions, each message acknowledged by each. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const goal = { atMost: 20 }
  const note = `${messages} events of 1.5 kB, ${subscribers} subscribers, without what one costs`
  await using ours = await openOurs(folder)
  await using theirs = await openMosquitto(folder)
  const publish = { ours: ours.publish, ...(theirs === undefined ? {} : { theirs: theirs.publish }) }
  const one = await alternate(publish)
  await ours.join(subscribers - 1)
  await theirs?.join(subscribers - 1)
  const all = await alternate(publish)
  const further = (name: 'ours' | 'theirs') => {
    const [of, ofOne] = [all.medians[name]?.cpuMicroseconds, one.medians[name]?.cpuMicroseconds]
    return { cpuMicroseconds: ((of ?? Number.NaN) - (ofOne ?? Number.NaN)) / (subscribers - 1) }
  }
  report.rate('events a second to one subscriber', one.medians.ours)
  report.rate(`… to ${subscribers}`, all.medians.ours)
  report.cpu('a message to another subscriber', further('ours'), 'µs', { goal, note })
  if (theirs === undefined) throw new Skipped(`no comparison: ${mosquitto} is not installed`)
  report.cpu('… of Mosquitto', further('theirs'), 'µs', { note: 'without a disk' })
}

const connectAll = (count: number, connect: (name: string) => Promise<TestClient>) =>
  Promise.all(Array.from({ length: count }, (_, at) => connect(`reader-${count}-${at}`)))

/** Publishes, and resolves when every subscriber has everything. */
const publishTo =
  (clients: readonly TestClient[], send: () => Promise<unknown>, pid: number) => (): Promise<Rate> => {
    const before = clients.map(({ received }) => received.length)
    const hasAll = ({ received }: TestClient, at: number) => received.length >= (before[at] ?? 0) + messages
    return rateOf(async () => {
      await send()
      await eventually(() => clients.every(hasAll), { everyMs: 5 })
      return messages
    }, pid)
  }

/** The whole server; the events are written to its database. */
const openOurs = async (folder: string) => {
  await using opening = new AsyncDisposableStack()
  const mill = opening.use(await startMill(folder, { MILLSEAL_VIES: 'off' }))
  const options = { dataDir: folder, applicationName: 'bench', maxConnections: 1, log: silentLog }
  const database = await attachEmbedded(options)
  if (database === undefined) throw new Error('The server has no database')
  opening.use(database)
  const connect = await openBroker(mill, 'companies/update_one')
  const clients = await connectAll(1, connect)
  const join = async (count: number): Promise<void> =>
    void clients.push(...(await connectAll(count, connect)))
  const send = () => plantEvents(database, { companyId: mill.company, count: messages, mode: 'test' })
  opening.defer(() => endAll(clients))
  return {
    publish: publishTo(clients, send, mill.pid),
    join,
    [Symbol.asyncDispose]: disposerOf(opening.move()),
  }
}

const openMosquitto = async (folder: string) => {
  if (!existsSync(mosquitto)) return undefined
  const port = await freePort()
  const configuration = joinPath(folder, 'mosquitto.conf')
  await writeFile(configuration, `listener ${port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n`)
  await using opening = new AsyncDisposableStack()
  const child = spawn(mosquitto, ['-c', configuration], { stdio: 'ignore' })
  const ended = once(child, 'close')
  opening.defer(async () => {
    child.kill()
    await ended
  })
  const url = `mqtt://127.0.0.1:${port}`
  const connect = async (name: string): Promise<TestClient> => {
    const client = await connectMqtt({ url, clientId: name })
    await client.subscribe('mill')
    return client
  }
  const publisher = await eventually(() => connectMqtt({ url, clientId: 'publisher' }).catch(() => undefined))
  const clients = await connectAll(1, connect)
  const join = async (count: number): Promise<void> =>
    void clients.push(...(await connectAll(count, connect)))
  opening.defer(() => endAll([publisher, ...clients]))
  const payload = 'x'.repeat(payloadBytes)
  const send = () =>
    Promise.all(
      Array.from({ length: messages }, () => publisher.mqtt.publishAsync('mill', payload, { qos: 1 })),
    )
  return {
    publish: publishTo(clients, send, child.pid ?? 0),
    join,
    [Symbol.asyncDispose]: disposerOf(opening.move()),
  }
}

const endAll = async (clients: readonly TestClient[]): Promise<void> => {
  await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()))
}

const disposerOf = (stack: AsyncDisposableStack) => () => stack.disposeAsync()
