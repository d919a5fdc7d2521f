import { randomUUID } from 'node:crypto'
import { attachEmbedded } from '../../../server/src/adapters/database/embedded/attach.ts'
import { fillCertificates, readBlocks } from '../../../server/test/many-certificates.ts'
import { silentLog } from '../../../server/test/silent-log.ts'
import { freshVatId } from '../../../server/test/vat-ids.ts'
import { startMill } from '../product.ts'
import { repeat } from '../rounds.ts'
import type { Bench } from '../row.ts'

const rows = 1_000_000
const times = 30
const goal = 20

const week = (what: 'created' | 'notarized') =>
  `${what}From=2026-01-10T00:00:00Z&${what}To=2026-01-17T00:00:00Z`

const queries: Readonly<Record<string, string>> = {
  'no filter': '',
  'state, of all': 'state=notarized',
  'state, of one in a thousand': 'state=failed',
  'the first 8 characters of a hash': 'hash=4fc82b26',
  'a hash that none has': `hash=${'ab'.repeat(32)}`,
  'an identity that none has': `identity=${randomUUID()}`,
  'family, of one in a thousand': 'family=coa',
  'a week of creation': week('created'),
  'a week of notarization': week('notarized'),
  'a word of all': 'text=rolling',
  'a word of a tenth': 'text=bridge',
  'a word of one in a thousand': 'text=thousandth',
  'a word of one': 'text=rareword',
  'a number': 'text=MC-2026-777123',
  'part of a number': 'text=77712',
  'a word of two letters, of all': 'text=mc',
  'a word of two letters that none has': 'text=qx',
  'a word that none has': 'text=zzqqxx',
  'two words that never occur together': 'text=evenly+oddly',
  'a word of all, state of one in a thousand': 'text=rolling&state=failed',
  'a word of all, a week of notarization': `text=rolling&${week('notarized')}`,
}

/** The first page of 20, with its count, among a million certificates of one company. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using mill = await startMill(folder)
  await using database = await attachEmbedded({
    dataDir: folder,
    applicationName: 'bench',
    maxConnections: 1,
    log: silentLog,
  })
  if (database === undefined) throw new Error('The server has no embedded database')
  const address = { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' }
  const small = { name: 'A Small Mill', vatId: freshVatId(), address }
  const { id: smallCompanyId } = await mill.api('POST', '/companies', small)
  await fillCertificates(database.connection, { rows, companyId: mill.company, smallCompanyId })
  await readBlocks({ database })
  await mill.signIn()
  const ask = async (query: string) => {
    const path = `/certificates?mode=test&limit=20&${query}`
    await repeat(() => mill.api('GET', path), { times: 8 })
    return await repeat(() => mill.api('GET', path), { times, pid: mill.pid })
  }
  for (const [name, query] of Object.entries(queries))
    report.latency(`one company has all: ${name}`, await ask(query), { p50: goal })
  mill.headers['company'] = smallCompanyId
  for (const name of ['no filter', 'a word of all', 'a word that none has'])
    report.latency(`a company has one: ${name}`, await ask(queries[name] ?? ''), { p50: goal })
}
