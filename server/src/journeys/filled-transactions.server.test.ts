import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { openMill } from '../../test/console-mill.ts'
import { startOwnServer } from '../../test/test-server.ts'

const migration = join(import.meta.dirname, '../migrations/0063-transaction-contents.sql')

type Row = { readonly ledger_id: string; readonly kind: string; readonly subject: string | null }

test('an upgrade says of earlier transactions what new ones say when they are written', async () => {
  await using server = await startOwnServer()
  const { client, company, identity, notarize } = await openMill(server, 'upgraded')
  const at = { company: company.id } as const
  const [replaced, withdrawn, last] = [
    await notarize({ number: '1' }),
    await notarize({ number: '2' }),
    await notarize({ number: '3' }),
  ]
  const body = { reason: 'Wrong heat' }
  await client.replaceCertificate({ ...at, params: { id: replaced }, body: { ...body, replacedBy: last } })
  await client.withdrawCertificate({ ...at, params: { id: withdrawn }, body })
  const since = '2026-01-01T00:00:00.000Z'
  await client.revokeIdentity({
    ...at,
    query: { mode: 'test' },
    params: { id: identity.id },
    body: { ...body, since },
  })

  const database = new Client({ connectionString: server.config.databaseUrl })
  await database.connect()
  try {
    const all = async () =>
      (await database.query<Row>('select ledger_id, kind, subject from transactions order by ledger_id')).rows
    const written = await all()
    const kinds = new Set(written.map(({ kind }) => kind))
    assert.deepEqual([...kinds].toSorted(), [
      'certificate',
      'identity',
      'replacement',
      'revocation',
      'withdrawal',
    ])
    await database.query("update transactions set kind = 'other', subject = null")
    const statements = (await readFile(migration, 'utf8')).split(/;\n/)
    for (const statement of statements.filter((one) => /^\s*update /.test(one)))
      await database.query(statement)
    assert.deepEqual(await all(), written)
  } finally {
    await database.end()
  }
})
