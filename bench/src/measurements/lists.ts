import { randomUUID } from 'node:crypto'
import { type Bench, repeat } from '../measuring.ts'
import { fillMill, startMill } from '../product.ts'

const [rows, times] = [1_000_000, 30]

const week = (what: 'created' | 'notarized') =>
  `${what}From=2026-01-10T00:00:00Z&${what}To=2026-01-17T00:00:00Z`

const withoutText = {
  'no filter': '',
  'state, of all': 'state=notarized',
  'state, of one in a thousand': 'state=failed',
  'the first 8 characters of a hash': 'hash=4fc82b26',
  'a hash that none has': `hash=${'ab'.repeat(32)}`,
  'an identity that none has': `identity=${randomUUID()}`,
  'family, of one in a thousand': 'family=coa',
  'a week of creation': week('created'),
  'a week of notarization': week('notarized'),
}
const oneText = {
  'a word of all': 'text=rolling',
  'a word of a tenth': 'text=bridge',
  'a word of one in a thousand': 'text=thousandth',
  'a word of one': 'text=rareword',
  'a number': 'text=MC-2026-777123',
  'part of a number': 'text=77712',
  'a word of two letters, of all': 'text=mc',
  'a word of two letters that none has': 'text=qx',
  'a word that none has': 'text=zzqqxx',
}
const combined = {
  'two words that never occur together': 'text=evenly+oddly',
  'a word of all, state of one in a thousand': 'text=rolling&state=failed',
  'a word of all, a week of notarization': `text=rolling&${week('notarized')}`,
}

/** The first page of 20, with its count, among a million certificates of one company. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using mill = await startMill(folder)
  const smallCompanyId = await fillMill(mill, folder, rows)
  await mill.signIn()
  const reportSlowest = async (what: string, queries: Readonly<Record<string, string>>): Promise<void> => {
    const asked = []
    for (const [note, query] of Object.entries(queries)) {
      const page = () => mill.api('GET', `/certificates?mode=test&limit=20&${query}`)
      await repeat(page, { times: 8 })
      asked.push({ ...(await repeat(page, { times, pid: mill.pid })), note })
    }
    const [slowest] = asked.toSorted((one, other) => other.p50Ms - one.p50Ms)
    if (slowest === undefined) return
    report.latency(`${what}: the slowest of ${asked.length}`, slowest, { p50: 20, note: slowest.note })
  }
  await reportSlowest('a page of a million, by state, hash, identity, family or time', withoutText)
  await reportSlowest('… by a word or number', oneText)
  await reportSlowest('… by two words, or a word and a filter', combined)
  mill.headers['company'] = smallCompanyId
  await reportSlowest('… of a company that has one of them', { ...withoutText, ...oneText, ...combined })
}
