import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { eventually, generousDeadline } from '../../../../test/eventually.ts'
import { backUpLedger } from '../../../../test/ledger-backup.ts'
import { type LedgerInstallation, openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { LedgerDamaged } from './ledger-damaged.ts'

const mill = makeLedgerSigner()

const submit = async (server: LedgerInstallation, count: number): Promise<void> => {
  await using ledger = server.open()
  await ledger.start()
  const all = Array.from({ length: count }, () => mill.create(certificateAsset()))
  await Promise.all(all.map((transaction) => ledger.submit(transaction)))
}

describe('the known checkpoints of a log', () => {
  test('contain the newest one when the writer has stopped', async () => {
    await using server = await openLedgerInstallation()
    await submit(server, 3)
    const [name = ''] = await readdir(server.knownCheckpoints)
    assert.match(name, /^test-[0-9a-f]{8}\.checkpoint$/)
    assert.deepEqual(
      await readFile(join(server.knownCheckpoints, name), 'utf8'),
      await readFile(join(server.folder, 'checkpoint'), 'utf8'),
    )
  })

  test('refuse a writer on an older copy of folder and database, which stay as they are', async () => {
    await using server = await openLedgerInstallation()
    await submit(server, 3)
    const restore = await backUpLedger(server)
    await submit(server, 2)
    await restore()
    const before = await readdir(server.folder, { recursive: true })
    await assert.rejects(
      submit(server, 1),
      (error) =>
        error instanceof LedgerDamaged &&
        /test log on disk has 3 entries, but its newest known checkpoint has 5\..*millseal log continue-as-new --mode test/.test(
          error.message,
        ),
    )
    assert.deepEqual(await readdir(server.folder, { recursive: true }), before)
  })

  test('refuse a writer on a log that went on differently', async () => {
    await using server = await openLedgerInstallation()
    await submit(server, 3)
    const restore = await backUpLedger(server)
    await submit(server, 2)
    await restore()
    const away = `${server.knownCheckpoints}.away`
    await rename(server.knownCheckpoints, away)
    await submit(server, 4)
    await rm(server.knownCheckpoints, { recursive: true })
    await rename(away, server.knownCheckpoints)
    await assert.rejects(submit(server, 1), /The first 5 of the 7 entries of the test log are not those/)
  })

  test('that cannot be stored do not stop the log, and are a warning', async () => {
    await using server = await openLedgerInstallation()
    await writeFile(server.knownCheckpoints, 'a file')
    await using ledger = server.open()
    await ledger.start()
    await ledger.submit(mill.create(certificateAsset()))
    await eventually(() => /known checkpoints cannot be stored in .*known/.test(ledger.warning ?? ''))
    await ledger.check(generousDeadline())
  })

  test('of another key do not concern the log', async () => {
    await using server = await openLedgerInstallation()
    await mkdir(server.knownCheckpoints)
    await writeFile(join(server.knownCheckpoints, 'test-00000000.checkpoint'), 'not of this log')
    await submit(server, 1)
    assert.equal((await readdir(server.knownCheckpoints)).length, 2)
  })
})
