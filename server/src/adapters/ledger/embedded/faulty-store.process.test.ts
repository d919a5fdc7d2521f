import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { SignedTransaction } from '@millseal/proof'
import { generousDeadline } from '../../../../test/eventually.ts'
import { openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { countTransactions } from '../../../../test/log-size.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { type Fault, lacksS3, startFaultyS3, startS3 } from '../../../../test/s3-server.ts'
import { LedgerUnavailable } from '../../../ports/ledger/ledger.ts'
import { createIndexReader } from './index-reader.ts'
import { verifyLog } from './verify-log.ts'

const mill = makeLedgerSigner()
const transactions = 40
const faults: readonly Fault[] = [503, 'lost', 'cut', 412, 500, 'lost', 409, 412]
const everyRequests = 7

describe('a log in an S3 store of which a seventh of the requests fail', { skip: await lacksS3() }, () => {
  test('has one entry for each transaction, in whichever process, or says that it is unavailable', async () => {
    await using server = await startS3()
    await using proxy = await startFaultyS3(server)
    await using installation = await openLedgerInstallation(
      undefined,
      undefined,
      `${httpOf(proxy.address)} log`,
    )
    let random = 1
    const failed = new Map<Fault, number>()
    proxy.fault = ({ isConditional }) => {
      random = (random * 1_103_515_245 + 12_345) % 2 ** 31
      if (random % everyRequests !== 0) return undefined
      const fault = faults[Math.floor(random / 2 ** 16) % faults.length]
      // Reads have no condition that could fail.
      if (fault === undefined || (fault === 412 && !isConditional)) return undefined
      failed.set(fault, (failed.get(fault) ?? 0) + 1)
      return fault
    }
    await using one = installation.open()
    await using other = installation.open()
    const signal = generousDeadline()
    const untilDone = async <T>(work: () => Promise<T>): Promise<T> => {
      for (;;) {
        try {
          return await work()
        } catch (error) {
          if (!(error instanceof LedgerUnavailable)) throw error
          await delay(20, undefined, { signal })
        }
      }
    }
    await Promise.all([one.start(), other.start()])
    const indexes = new Set<number | undefined>()
    const submit = async (transaction: SignedTransaction, at: number): Promise<void> => {
      const ledger = at % 2 === 0 ? one : other
      indexes.add((await untilDone(() => ledger.submit(transaction))).entry.index)
    }
    for (let at = 0; at < transactions; at += 2)
      await Promise.all([at, at + 1].map((each) => submit(mill.create(certificateAsset()), each)))
    proxy.fault = () => undefined
    const index = createIndexReader(installation.database.query, 'test')
    const { problems } = await verifyLog({ files: installation.files, index })
    assert.deepEqual(problems, [])
    assert.deepEqual([await countTransactions(installation), indexes.size], [transactions, transactions])
    assert.ok(failed.size > 3)
  })
})

const httpOf = (address: string): `http://${string}` => `http://${address.slice('http://'.length)}`
