import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { launchEmbedded } from '../../../server/src/adapters/database/embedded/launcher.ts'
import { migrate } from '../../../server/src/adapters/database/migrate.ts'
import { openPostgres } from '../../../server/src/adapters/database/postgres.ts'
import {
  type CertificateFilter,
  findCertificateIds,
} from '../../../server/src/services/certificate/lists/lists.store.ts'
import { readTextQuery } from '../../../server/src/services/certificate/lists/search-words.ts'
import { fillCertificates } from '../../../server/test/many-certificates.ts'
import { silentLog } from '../../../server/test/silent-log.ts'
import { latencyOf } from '../rounds.ts'
import type { Bench } from '../row.ts'

const rows = 1_000_000
const times = 40
/** A first page, which also counts up to a thousand. */
const page = { after: undefined, limit: 1_001 }

const [companyId, smallCompanyId] = [randomUUID(), randomUUID()]
const none = { from: undefined, to: undefined }
const all: CertificateFilter = {
  companyId,
  mode: 'test',
  state: undefined,
  hash: undefined,
  identityId: undefined,
  family: undefined,
  created: none,
  notarized: none,
  text: undefined,
}
const week = { from: new Date('2026-01-10'), to: new Date('2026-01-17') }
const words = (text: string, more: Partial<CertificateFilter> = {}) => ({
  text: readTextQuery(text),
  ...more,
})

const filters: Readonly<Record<string, Partial<CertificateFilter>>> = {
  'no filter': {},
  'state, of all': { state: 'notarized' },
  'state, of one in a thousand': { state: 'failed' },
  'the first 8 characters of a hash': { hash: '4fc82b26' },
  'a hash that none has': { hash: 'ab'.repeat(32) },
  'an identity that none has': { identityId: randomUUID() },
  'family, of one in a thousand': { family: 'coa' },
  'a week of creation': { created: week },
  'a week of notarization': { notarized: week },
  'a word of all': words('rolling'),
  'a word of a tenth': words('bridge'),
  'a word of one in a thousand': words('thousandth'),
  'a word of one': words('rareword'),
  'a number': words('MC-2026-777123'),
  'part of a number': words('77712'),
  'a word of two letters, of all': words('mc'),
  'a word of two letters that none has': words('qx'),
  'a word that none has': words('zzqqxx'),
  'two words that never occur together': words('evenly oddly'),
  'a word of all, state of one in a thousand': words('rolling', { state: 'failed' }),
  'a word of all, a week of notarization': words('rolling', { notarized: week }),
  'a company with one certificate': { companyId: smallCompanyId },
  'a company with one certificate, a word of all': words('rolling', { companyId: smallCompanyId }),
}

/** The ids of the first page among a million certificates, nearly all of one company. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using running = await launchEmbedded({ dataDir: folder, durable: false, log: silentLog })
  const { connection } = running
  await migrate({ connection, log: silentLog })
  await using database = openPostgres({
    connection,
    applicationName: 'bench',
    maxConnections: 2,
    log: silentLog,
  })
  const startedAt = performance.now()
  await fillCertificates(database.query, { rows, companyId, smallCompanyId })
  report.value('filling a million', (performance.now() - startedAt) / 1_000, 's')
  for (const [name, filter] of Object.entries(filters)) {
    const ms: number[] = []
    for (let turn = -5; turn < times; turn += 1) {
      const before = performance.now()
      await findCertificateIds(database.query, { ...all, ...filter }, page)
      if (turn >= 0) ms.push(performance.now() - before)
    }
    report.latency(name, latencyOf(ms), { p50: 20 })
  }
}
