import assert from 'node:assert/strict'
import { cp, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { type LedgerInstallation, openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { systemClock } from '../../../ports/clock/clock.ts'
import { continueLog } from './continue-log.ts'
import { createFolderFiles } from '../../files/folder.ts'
import { createIndexReader } from './index-reader.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { verifyLog } from './verify-log.ts'

const mill = makeLedgerSigner()

const submit = async (server: LedgerInstallation, count: number): Promise<void> => {
  await using ledger = server.open()
  await ledger.start()
  const all = Array.from({ length: count }, () => mill.create(certificateAsset()))
  await Promise.all(all.map((transaction) => ledger.submit(transaction)))
}

const continueAsNew = ({ database, keystore, folder, knownCheckpoints }: LedgerInstallation) =>
  continueLog({
    mode: 'test',
    files: createFolderFiles(dirname(folder)),
    knownCheckpoints: [createFolderFiles(knownCheckpoints)],
    host: undefined,
    database,
    keystore,
    clock: systemClock,
    record: async () => {},
  })

const read = (server: LedgerInstallation, path: string) => readFile(join(server.folder, path), 'utf8')

const assertValid = async (server: LedgerInstallation): Promise<void> => {
  const index = createIndexReader(server.database.query, 'test')
  assert.deepEqual((await verifyLog({ files: server.files, index })).problems, [])
}

describe('a log that continues under a new name', () => {
  test('keeps entries, operator and proofs, and can continue again', async () => {
    await using server = await openLedgerInstallation()
    await submit(server, 300)
    const [oldCheckpoint, oldKey] = [await read(server, 'checkpoint'), await read(server, 'vkey')]
    const operator = /\nmillseal-operator \S+\n/.exec(oldCheckpoint)?.[0] ?? assert.fail('no operator')
    for (const number of [2, 3]) {
      const { size, vkey, frozen } = await continueAsNew(server)
      assert.equal(frozen, number - 1)
      assert.match(vkey, new RegExp(`^example\\.com/ledger/test/${number}\\+`))
      assert.ok((await read(server, 'checkpoint')).includes(operator))
      await assertValid(server)
      await submit(server, 1)
      assert.match(
        await read(server, 'checkpoint'),
        new RegExp(`^example\\.com/ledger/test/${number}\n${size + 2}\n`),
      )
    }
    assert.deepEqual(
      [await read(server, 'frozen/1/checkpoint'), await read(server, 'frozen/1/vkey')],
      [oldCheckpoint, oldKey],
    )
    await assertValid(server)
  })

  test('keeps a host that contains /ledger/ whole', async () => {
    for (const host of ['example.com/ledger/mill', 'example.com/ledger/test']) {
      await using server = await openLedgerInstallation(undefined, host)
      await submit(server, 1)
      for (const number of [2, 3])
        assert.ok((await continueAsNew(server)).vkey.startsWith(`${host}/ledger/test/${number}+`), host)
    }
  })

  test('is numbered by what is frozen, and not by other files there', async () => {
    await using server = await openLedgerInstallation()
    await submit(server, 1)
    await mkdir(join(server.folder, 'frozen/lost+found'), { recursive: true })
    assert.match((await continueAsNew(server)).vkey, /^example\.com\/ledger\/test\/2\+/)
  })

  test('completes by the next call if it was interrupted after the new key was stored', async () => {
    for (const lost of [['checkpoint'], ['checkpoint', 'vkey']]) {
      await using server = await openLedgerInstallation()
      await submit(server, 5)
      await continueAsNew(server)
      // As if the new files had not been written.
      for (const name of lost) await cp(join(server.folder, 'frozen/1', name), join(server.folder, name))
      await assert.rejects(submit(server, 1), LedgerDamaged)
      const { vkey } = await continueAsNew(server)
      assert.match(vkey, /^example\.com\/ledger\/test\/2\+/)
      await submit(server, 1)
      await assertValid(server)
    }
  })

  test('refuses an older copy from before the new name', async () => {
    await using server = await openLedgerInstallation()
    await submit(server, 5)
    const rows = await server.database.query.selectFrom('ledgerLogs').selectAll().execute()
    const copy = `${server.folder}.copy`
    await cp(server.folder, copy, { recursive: true })
    await continueAsNew(server)
    await rm(server.folder, { recursive: true })
    await cp(copy, server.folder, { recursive: true })
    for (const { mode, ...row } of rows)
      await server.database.query.updateTable('ledgerLogs').set(row).where('mode', '=', mode).execute()
    await assert.rejects(submit(server, 1), /was continued as example\.com\/ledger\/test\/2/)
    const { vkey } = await continueAsNew(server)
    assert.match(vkey, /^example\.com\/ledger\/test\/3\+/)
    await submit(server, 1)
  })

  test('is refused while a server writes it, and if it is damaged', async () => {
    await using server = await openLedgerInstallation()
    await submit(server, 5)
    {
      await using ledger = server.open()
      await ledger.start()
      await assert.rejects(continueAsNew(server), /stop all servers/)
    }
    await rm(join(server.folder, 'tile/entries/000.p'), { recursive: true })
    const before = await read(server, 'checkpoint')
    await assert.rejects(continueAsNew(server), LedgerDamaged)
    assert.equal(await read(server, 'checkpoint'), before)
  })
})
