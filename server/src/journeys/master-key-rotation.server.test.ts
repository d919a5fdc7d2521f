import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Client } from 'pg'
import { createKeystore } from '../adapters/keystore/local.ts'
import { ensureMasterKeyFile } from '../adapters/keystore/master-key-file.ts'
import { reEncryptColumn } from '../adapters/keystore/re-encrypt.ts'
import { rotateMasterKeyIn } from '../compose/commands.ts'
import { encryptedColumns } from '../compose/encrypted-columns.ts'
import { openTestDatabase } from '../../test/database.ts'
import { addressOf, startOwnServer, type TestServer } from '../../test/test-server.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { enableMfa, password } from '../../test/people.ts'
import { newIdentity } from '../../test/signers.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'

const mode = 'test'

/** All encrypted values of the server, as stored. */
const encryptedValues = async (databaseUrl: string): Promise<Buffer[]> => {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const columns = [...encryptedColumns, { table: 'wallets', name: 'encrypted_root' }]
    const found: Buffer[] = []
    for (const { table, name } of columns) {
      const { rows } = await client.query<{ encrypted: Buffer }>(
        `select ${name} as encrypted from ${table} where ${name} is not null`,
      )
      found.push(...rows.map(({ encrypted }) => encrypted))
    }
    return found
  } finally {
    await client.end()
  }
}

const startUsing = async (server: TestServer) => {
  const owner = await newOwner(server, 'rotator')
  const nextCode = await enableMfa(server, owner.admin)
  const identity = await newIdentity(server.client(owner.admin.accessToken), owner.company.id, mode)
  return { owner, nextCode, identity, sign: () => signWith(server, owner, identity) }
}

const signWith = async (
  server: TestServer,
  { admin, company }: Owner,
  { id, publicKey }: { readonly id: string; readonly publicKey: string },
) => {
  const client = server.client(admin.accessToken)
  const header = { company: company.id, query: { mode } } as const
  const body = await client.buildTransaction({
    ...header,
    body: {
      coinType: 822,
      bcdbOptions: {
        operation: 'CREATE',
        createOptions: {
          asset: { heat: '4711' },
          metadata: { note: 'rotation' },
          issuers: [publicKey],
          recipients: [{ publicKeys: [publicKey], amount: '1' }],
        },
      },
    },
  })
  return client.partialSignTransaction({
    ...header,
    query: { mode, identity: id, type: 'transparent' },
    body,
  })
}

describe('a rotation of the master key', () => {
  test('causes no failure in a running server, and leaves nothing encrypted with the old key', async (t) => {
    await using database = await openTestDatabase()
    await using folder = await makeTemporaryFolder()
    const databaseUrl = addressOf(database)
    const environment = { MILLSEAL_MASTER_KEY: '', MILLSEAL_DATA_DIR: folder.path }
    let retired: readonly string[]
    {
      await using server = await startOwnServer({ databaseUrl, environment })
      const { sign } = await startUsing(server)
      const seen = { done: false, signed: 0 }
      const load = async (): Promise<void> => {
        while (!seen.done) {
          await sign()
          seen.signed += 1
        }
      }
      const loads = Promise.all([load(), load()])
      const before = await encryptedValues(databaseUrl)
      const rotation = await rotateMasterKeyIn(server.config, { tokenKey: false }).finally(() => {
        seen.done = true
      })
      await loads
      t.diagnostic(`${rotation.moved} values moved, ${seen.signed} signatures during the rotation`)
      assert.ok(rotation.moved >= before.length && before.length >= 4)
      assert.ok(seen.signed > 0)
      retired = rotation.retired
    }
    const [oldKey = assert.fail(), ...more] = retired
    assert.deepEqual(more, [])
    assert.equal(statSync(oldKey).mode & 0o777, 0o600)
    const { current } = ensureMasterKeyFile(folder.path).read()
    const now = createKeystore(() => ({ current, others: [] }))
    // The root of a wallet has a header of four bytes before its wrapped key.
    const left = (await encryptedValues(databaseUrl)).filter(
      (encrypted) => !now.isCurrent(encrypted) && !now.isCurrent(encrypted.subarray(4)),
    )
    assert.deepEqual(left, [])

    await using again = await startOwnServer({ databaseUrl, environment })
    await assert.rejects(again.client().login({ body: { username: 'rotator', password } }), /code/)
  })

  test('is continued by a second run after an interruption, with the same key, and everything can be decrypted', async () => {
    await using database = await openTestDatabase()
    await using folder = await makeTemporaryFolder()
    const environment = { MILLSEAL_MASTER_KEY: '', MILLSEAL_DATA_DIR: folder.path }
    await using server = await startOwnServer({ databaseUrl: addressOf(database), environment })
    const { sign, nextCode } = await startUsing(server)
    const file = ensureMasterKeyFile(folder.path)
    file.begin()
    const keystore = createKeystore(file.read)
    const [first = assert.fail()] = encryptedColumns
    assert.equal(await reEncryptColumn({ database, keystore }, first), 1)
    const begun = file.read().current.reveal()

    await rotateMasterKeyIn(server.config, { tokenKey: false })
    assert.deepEqual(ensureMasterKeyFile(folder.path).read().current.reveal(), begun)
    assert.ok(await sign())
    const signedIn = await server
      .client()
      .login({ body: { username: 'rotator', password, code: nextCode() } })
    assert.ok(signedIn.accessToken)
  })
})
