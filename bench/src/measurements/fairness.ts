import { attachEmbedded } from '../../../server/src/adapters/database/embedded/attach.ts'
import type { Database } from '../../../server/src/ports/database/database.ts'
import { eventually } from '../../../server/test/eventually.ts'
import { countUnpublished, plantCertificates, plantEvents } from '../../../server/test/flood.ts'
import { silentLog } from '../../../server/test/silent-log.ts'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import { freshVatId } from '../../../server/test/vat-ids.ts'
import { type Mill, notarize, openBroker, startMill } from '../product.ts'
import { arrivals, latencyOf } from '../rounds.ts'
import type { Bench } from '../row.ts'

const [flood, events, certificates] = [10_000, 60, 20]

/** How long one owner waits while 10,000 events and certificates of a company wait. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using mill = await startMill(folder, { MILLSEAL_VIES: 'off' })
  await using database = await attached(folder)
  await using subscriber = await (await openBroker(mill))('fairness')
  const measureEvents = () =>
    arrivals(events, (number, arrived) => {
      subscriber.mqtt.once('message', arrived)
      return mill.api('PATCH', `/companies/${mill.company}`, { name: `Rolling Mill ${number}` })
    })
  const note = `${events} events of a person, one by one, over MQTT`
  report.latency('an event, nothing else waits', await measureEvents(), { note })
  await plantEvents(database, { companyId: mill.company, count: flood })
  const crowded = { p99: 1_000, note: `${await countUnpublished(database)} waited at the start` }
  report.latency('… while 10,000 events of a company wait', await measureEvents(), crowded)
  await eventually(async () => (await countUnpublished(database)) === 0, { everyMs: 100 })
  await measureCertificates(mill, database, report)
}

const attached = async (dataDir: string): Promise<Database> => {
  const options = { dataDir, applicationName: 'bench', maxConnections: 4, log: silentLog }
  const database = await attachEmbedded(options)
  if (database === undefined) throw new Error('The server has no database')
  return database
}

const measureCertificates = async (
  mill: Mill,
  database: Database,
  report: Bench['report'],
): Promise<void> => {
  const busy = { company: mill.company, identity: mill.identity }
  const quiet = await openQuiet(mill)
  const measureThem = async () => {
    mill.headers['company'] = quiet.company
    const doneMs: number[] = []
    for (let turn = 0; turn < certificates; turn += 1) {
      const startedMs = performance.now()
      const body = JSON.stringify(sampleCertificate())
      const { jobId = '' } = await notarize({ ...mill, identity: quiet.identity }, body)
      const isDone = async () =>
        (await mill.api<{ state: string }>('GET', `/certificates/${jobId}?mode=test`)).state === 'notarized'
      await eventually(isDone, { everyMs: 10 })
      doneMs.push(performance.now() - startedMs)
    }
    return latencyOf(doneMs)
  }
  const note = `${certificates} certificates, one by one, until notarized`
  report.latency('a certificate, nothing else waits', await measureThem(), { note })
  mill.headers['company'] = busy.company
  const { jobId = '' } = await notarize(mill, JSON.stringify(sampleCertificate()))
  await plantCertificates(database, { like: jobId, count: flood })
  const crowded = { note: `${flood} waited at the start; goal: less than a second later` }
  report.latency('… while 10,000 certificates of a company wait', await measureThem(), crowded)
}

const openQuiet = async ({ api, headers }: Mill) => {
  const address = { country: 'AT', street: 'Furnace Street 2', city: 'Steelton', zipCode: '4020' }
  const { id: company } = await api('POST', '/companies', {
    name: 'A Quiet Mill',
    vatId: freshVatId(),
    address,
  })
  headers['company'] = company
  const { id: wallet } = await api('POST', '/wallets?mode=test', {})
  const { id: identity } = await api('POST', '/identities?mode=test', { coinType: 822, account: 0, wallet })
  return { company, identity }
}
