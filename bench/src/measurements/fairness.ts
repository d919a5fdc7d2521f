import { eventually } from '../../../server/test/eventually.ts'
import { countUnpublished, plantCertificates, plantEvents } from '../../../server/test/flood.ts'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import { arrivals, type Bench, type Latency, repeat } from '../measuring.ts'
import { notarize, openBroker, openDatabase, startMill } from '../product.ts'

const [flood, events, certificates] = [10_000, 60, 20]

/** How long one owner waits while 10,000 events and certificates of a company wait. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using mill = await startMill(folder)
  await using database = await openDatabase(folder)
  await using subscriber = await (await openBroker(mill))('fairness')
  const change = (number: number) =>
    mill.api('PATCH', `/companies/${mill.company}`, { name: `Rolling Mill ${number}` })
  const hear = () => new Promise((resolve) => subscriber.mqtt.once('message', resolve))
  const measureEvents = () => arrivals(events, change, hear)
  const note = `${events} events of a person, one by one, over MQTT`
  report.latency('an event, nothing else waits', await measureEvents(), { note })
  await plantEvents(database, { companyId: mill.company, count: flood })
  const crowded = { p99: 1_000, note: `${await countUnpublished(database)} waited at the start` }
  report.latency('… while 10,000 events of a company wait', await measureEvents(), crowded)
  await eventually(async () => (await countUnpublished(database)) === 0, { everyMs: 100 })
  const { jobId: like = '' } = await notarize(mill, JSON.stringify(sampleCertificate()))
  const quiet = { ...mill, ...(await mill.addCompany('A Quiet Mill')) }
  const notarizeOne = async (): Promise<void> => {
    const { jobId = '' } = await notarize(quiet, JSON.stringify(sampleCertificate()))
    const isDone = async () =>
      (await mill.api<{ state: string }>('GET', `/certificates/${jobId}?mode=test`)).state === 'notarized'
    await eventually(isDone, { everyMs: 10 })
  }
  const measureCertificates = async (): Promise<Latency> => {
    const { p50Ms, p99Ms } = await repeat(notarizeOne, { times: certificates })
    return { p50Ms, p99Ms }
  }
  const alone = { note: `${certificates} certificates, one by one, until notarized` }
  report.latency('a certificate, nothing else waits', await measureCertificates(), alone)
  await plantCertificates(database, { like, count: flood })
  const beside = { note: `${flood} waited at the start; goal: less than a second later` }
  report.latency('… while 10,000 certificates of a company wait', await measureCertificates(), beside)
}
