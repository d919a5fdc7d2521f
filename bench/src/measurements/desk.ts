import { fillInbox } from '../../../server/test/many-entries.ts'
import { type Bench, repeat } from '../measuring.ts'
import { openDatabase, startMill } from '../product.ts'

const [rows, times] = [1_000_000, 30]

const filters = {
  'no filter': '',
  'what is open': 'state=new',
  'what is accepted, of nearly all': 'state=accepted',
  'what is rejected, of one in a hundred': 'state=rejected',
  'an advice, of one in a thousand': 'advice=doNotAccept',
  'a supplier, of one in 200': 'supplier=Mill+77',
  'a supplier that none has': 'supplier=Nobody',
  'a supplier, and what is rejected': 'supplier=Mill+8&state=rejected',
  'a supplier, and a state that it has not': 'supplier=Mill+77&state=rejected',
  'a number': 'number=MC-2026-777123',
  'a heat': 'heat=H-777123',
  'a heat that none has': 'heat=none',
}
const texts = {
  'a word of all': 'text=rolling',
  'a word of a tenth': 'text=bridge',
  'a word of one': 'text=rareword',
  'a word that none has': 'text=zzqqxx',
  'a number': 'text=777123',
  'a word of all, and what is open': 'text=rolling&state=new',
}

/** The first page of 20 among a million received certificates of one company, and the numbers above it. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using mill = await startMill(folder)
  {
    await using database = await openDatabase(folder)
    await fillInbox(database.connection, { rows, companyId: mill.company })
  }
  await mill.signIn()
  mill.headers['company'] = mill.company
  const reportSlowest = async (what: string, queries: Readonly<Record<string, string>>): Promise<void> => {
    const asked = []
    for (const [note, query] of Object.entries(queries)) {
      const page = () => mill.api('GET', `/inbox?mode=test&limit=20&${query}`)
      await repeat(page, { times: 8 })
      asked.push({ ...(await repeat(page, { times, pid: mill.pid })), note })
    }
    const [slowest] = asked.toSorted((one, other) => other.p50Ms - one.p50Ms)
    if (slowest === undefined) return
    for (const { note, p50Ms } of asked) process.stderr.write(`${note}: ${p50Ms}\n`)
    report.latency(`${what}: the slowest of ${asked.length}`, slowest, { p50: 20, note: slowest.note })
  }
  await reportSlowest('a page of a million received, by state, advice, supplier, number or heat', filters)
  await reportSlowest('… by a word or number', texts)
  const count = await repeat(() => mill.api('GET', '/inbox/counts?mode=test'), { times, pid: mill.pid })
  report.latency('the numbers above them', count, { p50: 20 })
}
