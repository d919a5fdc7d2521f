import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parseKeyFile, verifyCheckpoint, verifyTlogProof, writeLogEntry } from '@millseal/proof'
import { openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { countTransactions } from '../../../../test/log-size.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { proofOf } from '../../../../test/proof-of.ts'
import { nodePrimitives } from '@millseal/proof/node'
import { describeLedger } from '../../../ports/ledger/ledger.suite.ts'
import { LedgerUnavailable, TransactionRefused } from '../../../ports/ledger/ledger.ts'
import { notarized } from '../../../ports/ledger/notarized.ts'

const mill = makeLedgerSigner()

describeLedger('embedded', async (mode) => {
  await using opening = new AsyncDisposableStack()
  const server = opening.use(await openLedgerInstallation())
  const ledger = opening.use(server.open(mode))
  await ledger.start()
  const opened = opening.move()
  return { ledger, [Symbol.asyncDispose]: () => opened.disposeAsync() }
})

describeLedger('embedded, written by another process', async (mode) => {
  await using opening = new AsyncDisposableStack()
  const server = opening.use(await openLedgerInstallation())
  const writer = opening.use(server.open(mode))
  await writer.start()
  const ledger = opening.use(server.open(mode))
  await ledger.start()
  const opened = opening.move()
  return { ledger, [Symbol.asyncDispose]: () => opened.disposeAsync() }
})

describeLedger('embedded, in the database', async (mode) => {
  await using opening = new AsyncDisposableStack()
  const server = opening.use(await openLedgerInstallation(undefined, undefined, 'postgres'))
  const writer = opening.use(server.open(mode))
  await writer.start()
  const ledger = opening.use(server.open(mode))
  await ledger.start()
  const opened = opening.move()
  return { ledger, [Symbol.asyncDispose]: () => opened.disposeAsync() }
})

describe('the embedded ledger', () => {
  test('covers acknowledged entries by its checkpoint, and finds and proves them from another process', async () => {
    await using server = await openLedgerInstallation()
    await using ledger = server.open()
    await ledger.start()
    const transactions = Array.from({ length: 700 }, () => mill.create(certificateAsset()))
    const submissions = await Promise.all(transactions.map((transaction) => ledger.submit(transaction)))
    assert.equal(new Set(submissions.map(({ entry }) => entry.index)).size, transactions.length)
    const key = parseKeyFile(await readFile(join(server.folder, 'vkey'), 'utf8'), nodePrimitives)
    const note = await readFile(join(server.folder, 'checkpoint'), 'utf8')
    const { size } = verifyCheckpoint(note, key, nodePrimitives)
    assert.equal(await countTransactions(server), transactions.length)
    assert.equal(
      Math.max(...submissions.map(({ entry }) => entry.index ?? 0)),
      size - 2,
      'before a state leaf',
    )
    await using other = server.open()
    await other.start()
    for (const transaction of [transactions[0], transactions[511], transactions[699]]) {
      assert.ok(transaction)
      assert.deepEqual((await other.find(transaction.id))?.transaction, transaction)
      const proof = await proofOf(other, transaction.id)
      const time = (await other.find(transaction.id))?.timestamp?.toISOString()
      const entry = writeLogEntry({ transaction, time })
      assert.equal(verifyTlogProof({ proof, entry, key }, nodePrimitives).checkpoint.size, size)
    }
  })

  test('continues after a restart with the same key and name', async () => {
    await using server = await openLedgerInstallation()
    const first = mill.create(certificateAsset())
    {
      await using ledger = server.open()
      await ledger.start()
      await ledger.submit(first)
    }
    await using ledger = server.open()
    await ledger.start()
    const again = await ledger.submit(first)
    assert.equal(again.isNew, false)
    const next = await ledger.submit(mill.create(certificateAsset()))
    assert.deepEqual([again.entry.index, next.entry.index, next.entry.height], [0, 2, 2])
  })

  test('restarts after a transaction whose keys were in a different order than in its entry', async () => {
    await using server = await openLedgerInstallation()
    {
      await using ledger = server.open()
      await ledger.start()
      await ledger.submit(mill.create({ type: 'identity', did: 'did:key:example', company: 'Rolling Mill' }))
    }
    await using ledger = server.open()
    await ledger.start()
    assert.equal((await ledger.submit(mill.create(certificateAsset()))).entry.index, 2)
  })

  test('gives a process that is not the writer the same answers as the writer', async () => {
    await using server = await openLedgerInstallation()
    await using writer = server.open()
    await writer.start()
    await using follower = server.open()
    await follower.start()
    const transaction = mill.create(certificateAsset())
    const submission = await follower.submit(transaction)
    assert.equal(submission.isNew, true)
    assert.deepEqual((await writer.find(transaction.id))?.index, submission.entry.index)
    assert.equal((await follower.submit(transaction)).isNew, false)
    const spent = mill.transfer(transaction, makeLedgerSigner().publicKey)
    await follower.submit(spent)
    const twice = mill.transfer(transaction, makeLedgerSigner().publicKey)
    await assert.rejects(
      follower.submit(twice),
      (error) => error instanceof TransactionRefused && error.reason === 'conflict',
    )
    await assert.rejects(
      writer.submit(twice),
      (error) => error instanceof TransactionRefused && error.reason === 'conflict',
    )
  })

  test('is written by another process as soon as the writer stops', async () => {
    await using server = await openLedgerInstallation()
    const writer = server.open()
    await writer.start()
    await writer.submit(mill.create(certificateAsset()))
    await using follower = server.open()
    await follower.start()
    await writer[Symbol.asyncDispose]()
    assert.equal((await follower.submit(mill.create(certificateAsset()))).entry.index, 2)
  })

  test('abandons a submission when its caller does, and the outcome is unknown', async () => {
    await using server = await openLedgerInstallation()
    await using ledger = server.open()
    const given = ledger.submit(mill.create(certificateAsset()), AbortSignal.timeout(50))
    await assert.rejects(given, LedgerUnavailable)
  })

  test('keeps its modes separate', async () => {
    await using server = await openLedgerInstallation()
    await using trial = server.open('test')
    await using live = server.open('live')
    await trial.start()
    await live.start()
    const transaction = mill.create(certificateAsset())
    await trial.submit(transaction)
    assert.equal(await live.find(transaction.id), undefined)
    assert.equal((await live.submit(transaction, undefined, notarized)).isNew, true)
    assert.notDeepEqual(await trial.listValidators(), await live.listValidators())
  })
})
