import { plantEvents } from '../../../server/test/flood.ts'
import type { TestClient } from '../../../server/test/mqtt-client.ts'
import { alternate, type Bench, rateOf } from '../measuring.ts'
import { openBroker, openDatabase, startMill } from '../product.ts'

const [subscribers, messages] = [100, 1_000]

/** What another subscriber of the same messages costs: kept sessions, each message acknowledged by each. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using mill = await startMill(folder)
  await using database = await openDatabase(folder)
  await using connected = new AsyncDisposableStack()
  const connect = await openBroker(mill, 'companies/update_one')
  const clients: TestClient[] = []
  const join = async () => clients.push(connected.use(await connect(`reader-${clients.length}`)))
  /** Resolves when every subscriber has everything. */
  const publish = async (): Promise<number> => {
    const expected = clients.map(({ received }) => received.length + messages)
    await plantEvents(database, { companyId: mill.company, count: messages, mode: 'test' })
    for (const [at, client] of clients.entries()) await client.receive(expected[at] ?? 0)
    return messages
  }
  const measureRounds = async () =>
    (await alternate({ publish: () => rateOf(publish, mill.pid) })).medians.publish
  await join()
  const one = await measureRounds()
  while (clients.length < subscribers) await join()
  const all = await measureRounds()
  report.rate('events a second to one MQTT subscriber', one)
  report.rate(`… to ${subscribers}`, all)
  const cpuMicroseconds = (all.cpuMicroseconds - one.cpuMicroseconds) / (subscribers - 1)
  const note = `${messages} events of 1.5 kB, ${subscribers} subscribers, without what one costs`
  report.cpu('a message to another subscriber', { cpuMicroseconds }, 'µs', { atMost: 20, note })
}
