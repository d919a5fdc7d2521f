import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { legalForms } from '@millseal/proof'
import { sql } from 'kysely'
import { Client } from 'pg'
import { openTestDatabase } from '../../../../test/database.ts'
import { copyMigrationsBefore } from '../../../../test/earlier-migrations.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { makeTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { migrate } from '../../../adapters/database/migrate.ts'
import type { Database } from '../../../ports/database/database.ts'

let database: Database & AsyncDisposable
before(async () => {
  database = await openTestDatabase()
})
after(() => database[Symbol.asyncDispose]())

const keysOf = async (names: readonly string[]): Promise<readonly string[]> => {
  const { rows } = await sql<{ key: string }>`
    select company_name_key(name) as key from unnest(${[...names]}::text[]) with ordinality as n (name, place)
    order by place`.execute(database.query)
  return rows.map(({ key }) => key)
}

const assertSame = async (names: readonly string[]) => {
  const keys = await keysOf(names)
  for (const [at, key] of keys.entries()) assert.equal(key, keys[0], names[at])
}

describe('the key of a company name', () => {
  test('is one for all spellings, legal forms and look-alikes of a name', async () => {
    await assertSame([
      'Acme Steel GmbH',
      'ACME  Steel GmbH',
      'Acme Steel G.m.b.H.',
      'Acme-Steel, S. p. A.',
      '„Acme Steel“ GmbH & Co. KG',
      'Acme Stee1',
      'ACME STEEL Inc.',
      '\u0391cmeSteel',
      '\u0410\u0421\u041c\u0415 Steel',
      '\uff21\uff23\uff2d\uff25 Steel',
      'Äcme Steel S.A.R.L.',
    ])
    await assertSame(['Gießerei Söhne', 'GIESSEREI SOEHNE', 'Giesserei Sohne AG'])
    await assertSame(['Северсталь', 'СЕВЕРСТАЛЬ ПАО', 'ООО «Северсталь»'])
    await assertSame(['ΧΑΛΥΒΑΣ', 'Χάλυβας'])
    await assertSame(['Rolling Mill 10', 'Rolling Mill IO', 'roIIing miII lo'])
  })

  test('ignores every legal form that comparing a seller with its issuer ignores', async () => {
    await assertSame(['Acme Steel', ...[...legalForms].map((form) => `Acme Steel ${form.toUpperCase()}`)])
  })

  test('differs between names of different mills, and has at least the name', async () => {
    const names = [
      'Steel Mill SE',
      'Steel Trading AG',
      'Steel Storage AG',
      'Steel User AG',
      'Nordic Steel Trading AB',
      'Acme Metal Works GmbH',
      'Acme Aluminium Extrusions S.A.',
      'Acme Metals GmbH',
      'Window Systems GmbH',
      'Mill 1 GmbH',
      'Mill 2 GmbH',
      '华强钢铁有限公司',
      '宝钢集团',
      'AG & Co. KG',
      'S.p.A.',
      '!!!!',
      '????',
    ]
    const keys = await keysOf(names)
    assert.equal(new Set(keys).size, names.length, keys.join())
    assert.ok(!keys.includes(''))
  })

  test('of a key is this key', async () => {
    const parts = [
      ...'aeiou1l0OIrnvmÄßæŒΑηςБя.,-&\'"«( )\u00a0',
      ' GmbH',
      ' & Co. KG',
      'S. p. A. ',
      ' и ',
      '钢',
    ]
    // Park and Miller: the same names in every run.
    let seed = 78
    const below = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most
    const names = Array.from({ length: 3_000 }, () =>
      Array.from({ length: 1 + below(12) }, () => parts[below(parts.length)]).join(''),
    )
    const keys = await keysOf(names)
    for (const [at, again] of (await keysOf(keys)).entries()) assert.equal(again, keys[at], names[at])
  })
})

test('companies and reviews of an earlier release get their keys, and so do those that its processes still write', async () => {
  await using folder = await makeTemporaryFolder()
  await copyMigrationsBefore(folder.path, '-company-names.sql')
  await using earlier = await openTestDatabase({ migrated: false })
  const { connection, query } = earlier
  await migrate({ connection, log: silentLog, folder: folder.path })
  const client = new Client(connection)
  await client.connect()
  const review = (name: string) =>
    client.query(
      `insert into company_reviews (id, company_id, reviewer_id, reviewer_username, decision, evidence, created_at, company_name)
      values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'op', 'verified', '{}', now(), $1)`,
      [name],
    )
  try {
    await review('Acme Steel GmbH')
    await migrate({ connection, log: silentLog })
    await review('\u0391CME Stee1')
  } finally {
    await client.end()
  }
  const rows = await query.selectFrom('companyReviews').select('nameKey').execute()
  assert.deepEqual(rows, [{ nameKey: 'acmesteel' }, { nameKey: 'acmesteel' }])
})
