import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SignedTransaction } from '@millseal/proof'
import { sql } from 'kysely'
import { eventually } from '../../../../test/eventually.ts'
import { type LedgerInstallation, openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { LedgerWorker } from '../../../../test/ledger-worker-process.ts'
import { createIndexReader } from './index-reader.ts'
import { verifyLog } from './verify-log.ts'

const mill = makeLedgerSigner()
const rounds = 4
const lanes = 3
const bySuccessor = 30

describe('a process that writes the ledger, is stopped by SIGSTOP and loses its place meanwhile', () => {
  test('and goes on by SIGCONT spoils nothing of what its successor wrote', async () => {
    await using server = await openLedgerInstallation()
    const places = new Map<string, number>()
    for (let round = 0; round < rounds; round += 1) {
      for (const [id, place] of await stopAndGoOn(server, 10 + round * 7)) places.set(id, place)
      const index = createIndexReader(server.database.query, 'test')
      const { checkpoint, problems } = await verifyLog({ folder: server.folder, index })
      assert.deepEqual(problems, [], `after round ${round}`)
      assert.equal(checkpoint?.size, places.size)
      assert.equal(new Set(places.values()).size, places.size)
    }
  })
})

/** The place of all that either of the two was given. */
const stopAndGoOn = async (
  server: LedgerInstallation,
  answersBefore: number,
): Promise<ReadonlyMap<string, number>> => {
  const given: SignedTransaction[] = []
  const state = { answers: 0, isStopped: false }
  const give = (): void => {
    const transaction = mill.create(certificateAsset())
    given.push(transaction)
    writer.submit(transaction)
  }
  // One answer brings the next transaction, so that it is hardly ever at rest.
  await using writer = await LedgerWorker.start(server, () => {
    state.answers += 1
    if (!state.isStopped) give()
  })
  await using successor = server.open()
  await successor.start()
  for (let lane = 0; lane < lanes; lane += 1) give()
  await eventually(() => state.answers > answersBefore, { everyMs: 1 })
  writer.pause()
  state.isStopped = true
  await loseItsPlace(server)
  const submit = async (transaction: SignedTransaction): Promise<[string, number]> => {
    const { entry } = await successor.submit(transaction, AbortSignal.timeout(300_000))
    return [transaction.id, entry.index ?? assert.fail('no place')]
  }
  const others: SignedTransaction[] = []
  while (others.length < bySuccessor) {
    const batch = Array.from({ length: lanes }, () => mill.create(certificateAsset()))
    others.push(...batch)
    await Promise.all(batch.map(submit))
  }
  writer.goOn()
  await eventually(() => state.answers >= given.length)
  return new Map(await Promise.all([...given, ...others].map(submit)))
}

/** As when the network between it and the database is lost. */
const loseItsPlace = async ({ database }: LedgerInstallation): Promise<void> => {
  await sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
  `.execute(database.query)
}
