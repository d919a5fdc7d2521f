import { randomBytes, randomUUID } from 'node:crypto'
import { uuidv7 } from '../../../server/src/lib/uuid.ts'
import type { Database } from '../../../server/src/ports/database/database.ts'
import { insertCertificate } from '../../../server/src/services/certificate/notarizations/certificates.store.ts'
import { countAccepted } from '../../../server/src/services/certificate/notarizations/quotas.store.ts'
import { openDurableDatabase, writeEvent } from '../durable.ts'
import { alternate, repeat } from '../rounds.ts'
import type { Bench } from '../row.ts'

const concurrent = 32
const ms = 4_000
const body = randomBytes(28_000)

const addCompany = async ({ query }: Database): Promise<string> => {
  const [user, company] = [randomUUID(), randomUUID()]
  const times = { createdAt: new Date(), updatedAt: new Date() }
  await query
    .insertInto('users')
    .values({ id: user, username: user, email: `${user}@example.com`, passwordHash: '', ...times })
    .execute()
  const address = { addressId: randomUUID(), country: 'AT', street: '', city: '', zipCode: '' }
  await query
    .insertInto('companies')
    .values({ id: company, name: 'A Mill', vatId: company, ownerId: user, ...address, ...times })
    .execute()
  return company
}

/** The transaction that accepts a certificate, with and without the number of the day of its company. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using database = await openDurableDatabase(folder)
  const companyId = await addCompany(database)
  const accept = (isCounted: boolean): Promise<void> =>
    database.transaction(async (tx) => {
      const now = new Date()
      const id = uuidv7(now.getTime())
      const row = {
        id,
        companyId,
        identityId: id,
        mode: 'test',
        state: 'accepted',
        family: 'en10168',
        refSchemaUrl: 'https://schemas.millseal.org/en10168-schemas/v1.0.0/schema.json',
        hash: randomBytes(32).toString('hex'),
        summary: '{}',
        body,
        retainedUntil: now,
        nextAttemptAt: now,
        createdAt: now,
        updatedAt: now,
      } as const
      await insertCertificate(tx, row, 'bridge works')
      await writeEvent(tx)
      if (isCounted) await countAccepted(tx, { companyId, now })
    })
  const perSecond = (isCounted: boolean) => async () => ({
    perSecond: (await repeat(() => accept(isCounted), { concurrent, ms })).perSecond,
  })
  const { medians, ratios } = await alternate({ counted: perSecond(true), uncounted: perSecond(false) }, 5)
  const label = `certificates of one company accepted by ${concurrent} clients, counted for its limit per day`
  report.value(label, 1_000 / medians.counted.perSecond, 'ms', {
    note: 'transactions only, milliseconds each',
  })
  report.ratio(
    '… counted : not counted, time of each',
    ratios(({ counted, uncounted }) => uncounted.perSecond / counted.perSecond),
    { goal: { atMost: 1.1 } },
  )
}
