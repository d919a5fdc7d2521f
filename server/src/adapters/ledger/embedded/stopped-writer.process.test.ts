import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SignedTransaction } from '@millseal/proof'
import { sql } from 'kysely'
import { eventually, generousDeadline } from '../../../../test/eventually.ts'
import { type LedgerInstallation, openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { countTransactions } from '../../../../test/log-size.ts'
import { lacksS3 } from '../../../../test/s3-server.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { LedgerWorker } from '../../../../test/ledger-worker-process.ts'
import { filesKinds } from '../../../ports/files/files.ts'
import { createIndexReader } from './index-reader.ts'
import { verifyLog } from './verify-log.ts'

const mill = makeLedgerSigner()
const noS3 = await lacksS3()
const rounds = 4
const lanes = 3
const bySuccessor = 30

describe('a writer that is suspended by SIGSTOP and loses its lock', () => {
  for (const kind of filesKinds)
    test(`does not damage what its successor wrote when it continues after SIGCONT (${kind})`, {
      skip: kind === 's3' && noS3,
    }, async () => {
      await using server = await openLedgerInstallation(undefined, undefined, kind)
      const indexes = new Map<string, number>()
      for (let round = 0; round < rounds; round += 1) {
        for (const [id, index] of await suspendAndContinue(server, 10 + round * 7)) indexes.set(id, index)
        const index = createIndexReader(server.database.query, 'test')
        const { problems } = await verifyLog({ files: server.files, index })
        assert.deepEqual(problems, [], `after round ${round}`)
        assert.equal(await countTransactions(server), indexes.size)
        assert.equal(new Set(indexes.values()).size, indexes.size)
      }
    })
})

/** The index of every transaction that was submitted to either process. */
const suspendAndContinue = async (
  server: LedgerInstallation,
  answersBefore: number,
): Promise<ReadonlyMap<string, number>> => {
  const submitted: SignedTransaction[] = []
  const state = { answers: 0, isSuspended: false }
  const submitNext = (): void => {
    const transaction = mill.create(certificateAsset())
    submitted.push(transaction)
    writer.submit(transaction)
  }
  // Each answer submits the next transaction, so that the writer is almost always busy.
  await using writer = await LedgerWorker.start(server, () => {
    state.answers += 1
    if (!state.isSuspended) submitNext()
  })
  await using successor = server.open()
  await successor.start()
  for (let lane = 0; lane < lanes; lane += 1) submitNext()
  await eventually(() => state.answers > answersBefore, { everyMs: 1 })
  writer.pause()
  state.isSuspended = true
  await loseItsLock(server)
  const submit = async (transaction: SignedTransaction): Promise<[string, number]> => {
    const { entry } = await successor.submit(transaction, generousDeadline())
    return [transaction.id, entry.index ?? assert.fail('no index')]
  }
  const others: SignedTransaction[] = []
  while (others.length < bySuccessor) {
    const batch = Array.from({ length: lanes }, () => mill.create(certificateAsset()))
    others.push(...batch)
    await Promise.all(batch.map(submit))
  }
  writer.goOn()
  await eventually(() => state.answers >= submitted.length)
  return new Map(await Promise.all([...submitted, ...others].map(submit)))
}

/** Has the same effect as a lost network connection to the database. */
const loseItsLock = async ({ database }: LedgerInstallation): Promise<void> => {
  await sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
  `.execute(database.query)
}
