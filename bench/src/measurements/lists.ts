import { randomUUID } from 'node:crypto'
import { readBlocks } from '../../../server/test/many-certificates.ts'
import { attachDatabase, fillMill, startMill } from '../product.ts'
import { repeat } from '../rounds.ts'
import type { Bench } from '../row.ts'

const rows = 1_000_000
const times = 30

const week = (what: 'created' | 'notarized') =>
  `${what}From=2026-01-10T00:00:00Z&${what}To=2026-01-17T00:00:00Z`

type Queries = Readonly<Record<string, string>>

const withoutText: Queries = {
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
const oneText: Queries = {
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
const combined: Queries = {
  'two words that never occur together': 'text=evenly+oddly',
  'a word of all, state of one in a thousand': 'text=rolling&state=failed',
  'a word of all, a week of notarization': `text=rolling&${week('notarized')}`,
}

/** The first page of 20, with its count, among a million certificates of one company. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using mill = await startMill(folder)
  await using database = await attachDatabase(folder)
  const smallCompanyId = await fillMill(mill, database, rows)
  await readBlocks({ database })
  await mill.signIn()
  const ask = async (query: string) => {
    const page = () => mill.api('GET', `/certificates?mode=test&limit=20&${query}`)
    await repeat(page, { times: 8 })
    return await repeat(page, { times, pid: mill.pid })
  }
  const reportSlowest = async (label: string, queries: Queries): Promise<void> => {
    const asked: (Awaited<ReturnType<typeof ask>> & { readonly note: string })[] = []
    for (const [note, query] of Object.entries(queries)) asked.push({ ...(await ask(query)), note })
    asked.sort((one, other) => other.p50Ms - one.p50Ms)
    const [slowest] = asked
    if (slowest !== undefined)
      report.latency(`${label}: the slowest of ${asked.length}`, slowest, { p50: 20, note: slowest.note })
  }
  await reportSlowest('a page of a million, by state, hash, identity, family or time', withoutText)
  await reportSlowest('… by a word or number', oneText)
  await reportSlowest('… by two words, or a word and a filter', combined)
  mill.headers['company'] = smallCompanyId
  await reportSlowest('… of a company that has one of them', { ...withoutText, ...oneText, ...combined })
}
