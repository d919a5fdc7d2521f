import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { SignedTransaction } from '@millseal/proof'
import { sql } from 'kysely'
import { eventually, generousDeadline } from '../../../../test/eventually.ts'
import { type LedgerInstallation, openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { countTransactions } from '../../../../test/log-size.ts'
import { lacksS3 } from '../../../../test/s3-server.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { LedgerWorker } from '../../../../test/ledger-worker-process.ts'
import { LedgerUnavailable } from '../../../ports/ledger/ledger.ts'
import { filesKinds } from '../../../ports/files/files.ts'
import { createIndexReader } from './index-reader.ts'
import { verifyLog } from './verify-log.ts'

const mill = makeLedgerSigner()
const noS3 = await lacksS3()
const certificates = 600
const kills = 6
/** One answer in so many is lost, so that its certificate is signed and submitted again. */
const lostEvery = 20
const deadlineMs = 300_000

type Job = { readonly asset: ReturnType<typeof certificateAsset>; indexes: Set<number>; isDone: boolean }

describe('an embedded ledger whose processes are killed', () => {
  for (const kind of filesKinds)
    test(`has exactly one entry for each of 600 certificates and keeps every acknowledged one (${kind})`, {
      skip: kind === 's3' && noS3,
    }, async () => {
      await using server = await openLedgerInstallation(undefined, undefined, kind)
      const jobs = Array.from(
        { length: certificates },
        (): Job => ({
          asset: certificateAsset(),
          indexes: new Set(),
          isDone: false,
        }),
      )
      await submitAll(server, jobs)
      await using ledger = server.open()
      await ledger.start()
      for (const { asset, indexes } of jobs) {
        const entry = await ledger.findCertificate(asset.jsonHash)
        assert.deepEqual([...indexes], [entry?.index])
      }
      const index = createIndexReader(server.database.query, 'test')
      const { problems } = await verifyLog({ files: server.files, index })
      assert.deepEqual(problems, [])
      assert.equal(await countTransactions(server), certificates)
    })

  test('is written by another process after the kill', async () => {
    await using server = await openLedgerInstallation()
    await using writer = await LedgerWorker.start(server, () => {})
    await using follower = server.open()
    await follower.start()
    const before = mill.create(certificateAsset())
    assert.equal((await follower.submit(before)).isNew, true)
    await writer.kill()
    const after = mill.create(certificateAsset())
    const { entry, isNew } = await follower.submit(after, generousDeadline())
    assert.deepEqual([entry.index, isNew], [2, true])
    assert.equal((await follower.submit(before)).isNew, false)
  })
})

describe('an embedded ledger whose writer loses its database connection but keeps running', () => {
  for (const kind of filesKinds)
    test(`continues in any process with one entry for each certificate and an intact log (${kind})`, {
      skip: kind === 's3' && noS3,
    }, async () => {
      await using server = await openLedgerInstallation(undefined, undefined, kind)
      await using one = server.open()
      await using other = server.open()
      await one.start()
      await other.start()
      const transactions = Array.from({ length: 300 }, () => mill.create(certificateAsset()))
      let done = 0
      const submit = async (transaction: SignedTransaction, at: number): Promise<void> => {
        const deadline = generousDeadline()
        for (let attempt = 0; ; attempt += 1) {
          try {
            await ((at + attempt) % 2 === 0 ? one : other).submit(transaction)
            done += 1
            return
          } catch (error) {
            if (!(error instanceof LedgerUnavailable) || deadline.aborted) throw error
            await delay(20)
          }
        }
      }
      const cutOff = async (): Promise<void> => {
        for (let cut = 1; cut <= 5; cut += 1) {
          await eventually(() => done >= cut * 40, { everyMs: 1 })
          await sql`
          select pg_terminate_backend(pid) from pg_locks
          where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
        `.execute(server.database.query)
        }
      }
      await Promise.all([cutOff(), submitInTurn(transactions, submit)])
      const index = createIndexReader(server.database.query, 'test')
      const { problems } = await verifyLog({ files: server.files, index })
      assert.deepEqual(problems, [])
      assert.equal(await countTransactions(server), transactions.length)
    })
})

/** Twenty at a time, so that the log is written in many blocks. */
const submitInTurn = async (
  transactions: readonly SignedTransaction[],
  submit: (transaction: SignedTransaction, at: number) => Promise<void>,
): Promise<void> => {
  const todo = transactions.entries()
  const work = async (): Promise<void> => {
    for (const [at, transaction] of todo) await submit(transaction, at)
  }
  await Promise.all(Array.from({ length: 20 }, work))
}

/** Three workers. The oldest one, which is probably the writer, is repeatedly killed and replaced. */
const submitAll = async (server: LedgerInstallation, jobs: readonly Job[]): Promise<void> => {
  const waiting = new Map<string, Job>()
  const submittedTo = new Map<string, LedgerWorker>()
  const todo = [...jobs]
  let answers = 0
  const start = (): Promise<LedgerWorker> =>
    LedgerWorker.start(server, ({ id, index }) => {
      const job = waiting.get(id)
      if (job === undefined) return
      waiting.delete(id)
      submittedTo.delete(id)
      if (index !== undefined) job.indexes.add(index)
      answers += 1
      if (index === undefined || answers % lostEvery === 0) todo.push(job)
      else job.isDone = true
    })
  const workers = await Promise.all([start(), start(), start()])
  try {
    for (let killed = 0, until = performance.now() + deadlineMs; jobs.some(({ isDone }) => !isDone); ) {
      assert.ok(performance.now() < until, `${jobs.filter(({ isDone }) => !isDone).length} jobs hang`)
      for (const [at, job] of todo.splice(0, 60).entries()) {
        const transaction: SignedTransaction = mill.create(job.asset, { attempt: String(answers) })
        const worker = workers[at % workers.length]
        assert.ok(worker)
        waiting.set(transaction.id, job)
        submittedTo.set(transaction.id, worker)
        worker.submit(transaction)
      }
      await delay(2)
      if (killed >= kills || answers < ((killed + 1) * certificates) / (kills + 2)) continue
      killed += 1
      const oldest = workers.shift()
      await oldest?.kill()
      for (const [id, worker] of submittedTo) {
        const job = waiting.get(id)
        if (worker !== oldest || job === undefined) continue
        waiting.delete(id)
        submittedTo.delete(id)
        todo.push(job)
      }
      workers.push(await start())
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()))
  }
}
