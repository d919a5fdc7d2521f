import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { eventually, generousDeadline } from '../../../../test/eventually.ts'
import { backUpLedger } from '../../../../test/ledger-backup.ts'
import { type LedgerInstallation, openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { sizeOf } from '../../../../test/log-size.ts'
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
    const older = await sizeOf(server)
    const restore = await backUpLedger(server)
    await submit(server, 2)
    const newer = await sizeOf(server)
    await restore()
    const before = await readdir(server.folder, { recursive: true })
    await assert.rejects(
      submit(server, 1),
      (error) =>
        error instanceof LedgerDamaged &&
        error.message.includes(
          `test log on disk has ${older} entries, but its newest known checkpoint has ${newer}. `,
        ) &&
        error.message.includes('millseal log continue-as-new --mode test'),
    )
    assert.deepEqual(await readdir(server.folder, { recursive: true }), before)
  })

  test('refuse a writer on a log that went on differently', async () => {
    await using server = await openLedgerInstallation()
    await submit(server, 3)
    const restore = await backUpLedger(server)
    await submit(server, 2)
    const known = await sizeOf(server)
    await restore()
    const away = `${server.knownCheckpoints}.away`
    await rename(server.knownCheckpoints, away)
    await submit(server, 4)
    const size = await sizeOf(server)
    await rm(server.knownCheckpoints, { recursive: true })
    await rename(away, server.knownCheckpoints)
    await assert.rejects(
      submit(server, 1),
      new RegExp(`The first ${known} of the ${size} entries of the test log are not those`),
    )
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
