import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SignedTransaction } from '@millseal/proof'
import { lacksPackage } from '../../../../test/debian-package.ts'
import { eventually } from '../../../../test/eventually.ts'
import { failFlushes, lacksMounting, mountSmallDisk, strace } from '../../../../test/faulty-disk.ts'
import { type LedgerInstallation, openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { countTransactions } from '../../../../test/log-size.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { type Answer, LedgerWorker } from '../../../../test/ledger-worker-process.ts'
import { createIndexReader } from './index-reader.ts'
import { verifyLog } from './verify-log.ts'

const mill = makeLedgerSigner()
const atOnce = 5
const cannotTrace = await lacksPackage(strace)
const cannotMount = await lacksMounting()

/** A process that writes the ledger, and its answers so far. */
const startWriter = async (server: LedgerInstallation) => {
  const answers = new Map<string, Answer>()
  const worker = await LedgerWorker.start(server, (answer) => void answers.set(answer.id, answer))
  /** The index of each transaction in the ledger; undefined if it was not accepted. */
  const submit = async (transactions: readonly SignedTransaction[]): Promise<(number | undefined)[]> => {
    for (const { id } of transactions) answers.delete(id)
    for (const transaction of transactions) worker.submit(transaction)
    await eventually(() => transactions.every(({ id }) => answers.has(id)))
    return transactions.map(({ id }) => answers.get(id)?.index)
  }
  return {
    pid: worker.pid,
    submit,
    untilAccepted: (transactions: readonly SignedTransaction[]) =>
      eventually(
        async () => {
          const indexes = await submit(transactions)
          return indexes.every((index) => index !== undefined) && indexes
        },
        { everyMs: 100 },
      ),
    [Symbol.asyncDispose]: () => worker.kill(),
  }
}

const someTransactions = () => Array.from({ length: atOnce }, () => mill.create(certificateAsset()))
const none = Array.from({ length: atOnce }, () => undefined)

const assertIntact = async (server: LedgerInstallation, transactions: number): Promise<void> => {
  const index = createIndexReader(server.database.query, 'test')
  const { problems } = await verifyLog({ files: server.files, index })
  assert.deepEqual(problems, [])
  assert.equal(await countTransactions(server), transactions)
}

describe('an embedded ledger whose disk fails', () => {
  test('acknowledges nothing while flushes fail, keeps all entries, and continues once they succeed', {
    skip: cannotTrace,
  }, async () => {
    await using server = await openLedgerInstallation()
    await using writer = await startWriter(server)
    await using reader = server.open()
    const before = someTransactions()
    const indexes = await writer.submit(before)
    const duringFault = someTransactions()
    {
      await using _failing = await failFlushes(writer.pid)
      for (let attempt = 0; attempt < 3; attempt += 1) {
        assert.deepEqual(await writer.submit(duringFault), none)
      }
      for (const [at, { id }] of before.entries()) {
        assert.equal((await reader.find(id))?.index, indexes[at])
      }
      await assertIntact(server, atOnce)
    }
    const later = await writer.untilAccepted(duringFault)
    assert.deepEqual(await writer.submit(before), indexes)
    assert.equal(new Set([...indexes, ...later]).size, 2 * atOnce)
    await assertIntact(server, 2 * atOnce)
  })

  test('acknowledges nothing while the disk is full, stays readable, and continues once there is space', {
    skip: cannotMount,
  }, async () => {
    await using disk = await mountSmallDisk(8)
    await using server = await openLedgerInstallation(disk.path)
    await using writer = await startWriter(server)
    await using reader = server.open()
    const before = someTransactions()
    const indexes = await writer.submit(before)
    await disk.fill()
    const duringFault = someTransactions()
    for (let attempt = 0; attempt < 3; attempt += 1) assert.deepEqual(await writer.submit(duringFault), none)
    for (const [at, { id }] of before.entries()) {
      assert.equal((await reader.find(id))?.index, indexes[at])
    }
    await assertIntact(server, atOnce)
    await disk.makeRoom()
    const later = await writer.untilAccepted(duringFault)
    assert.deepEqual(await writer.submit(before), indexes)
    assert.equal(new Set([...indexes, ...later]).size, 2 * atOnce)
    await assertIntact(server, 2 * atOnce)
  })
})
