import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type VerifiedTransaction, verifyWithText } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { LedgerUnavailable } from '../../../ports/ledger/ledger.ts'
import type { Appended } from './appender.ts'
import { createBatches } from './batches.ts'

const transaction = verifyWithText(makeLedgerSigner().create(certificateAsset()), nodePrimitives)

/** Appends immediately and records the size of each batch. */
const openCounter = () => {
  const sizes: number[] = []
  let next = 0
  const append = async (admitted: readonly VerifiedTransaction[]): Promise<Appended> => {
    const block = {
      height: sizes.push(admitted.length),
      firstIndex: next,
      entryCount: admitted.length,
      committedAt: new Date(0),
    }
    next += admitted.length
    return { verdicts: admitted.map((_, at) => ({ kind: 'new', at })), admitted, block }
  }
  return { sizes, append }
}

const fail = (error: unknown): never => assert.fail(String(error))

describe('batches', () => {
  test('answer a submission that arrives in any tick after the previous answer', async () => {
    const { append, sizes } = openCounter()
    const batches = createBatches({ append }, fail)
    for (let index = 0; index < 1_000; index += 1) {
      assert.equal((await batches.submit(transaction)).index, index)
      for (let moment = index % 12; moment > 0; moment -= 1) await Promise.resolve()
    }
    assert.deepEqual([...new Set(sizes)], [1])
  })

  test('contain what is submitted together, at most 256 transactions', async () => {
    const { append, sizes } = openCounter()
    const batches = createBatches({ append }, fail)
    await Promise.all(Array.from({ length: 600 }, () => batches.submit(transaction)))
    assert.deepEqual(sizes, [256, 256, 88])
  })

  test('never overlap with work for when the log is idle, which a batch in progress replaces', async () => {
    const { append } = openCounter()
    const done: string[] = []
    const during = async (name: string): Promise<void> => {
      done.push(`${name} begins`)
      for (let turn = 0; turn < 3; turn += 1) await nextTurn()
      done.push(`${name} ends`)
    }
    const appendSlowly = async (admitted: readonly VerifiedTransaction[]): Promise<Appended> => {
      await during('batch')
      return await append(admitted)
    }
    const batches = createBatches({ append: appendSlowly }, fail)
    batches.whenIdle(() => during('renewal'))
    const submitted = batches.submit(transaction)
    while (!done.includes('batch begins')) await nextTurn()
    batches.whenIdle(() => during('another renewal'))
    await submitted
    await batches.close()
    assert.deepEqual(done, ['renewal begins', 'renewal ends', 'batch begins', 'batch ends'])
  })

  test('end with the first failure: all waiting and later submissions are rejected and nothing is written', async () => {
    const failures: unknown[] = []
    const full = new Error('the disk is full')
    const batches = createBatches({ append: () => Promise.reject(full) }, (error) => failures.push(error))
    const submitted = await Promise.allSettled(Array.from({ length: 300 }, () => batches.submit(transaction)))
    for (const { status } of submitted) assert.equal(status, 'rejected')
    await assert.rejects(batches.submit(transaction), LedgerUnavailable)
    assert.deepEqual(failures, [full])
  })

  test('are closed after the batch in progress is finished, and the rest is rejected', async () => {
    const { append, sizes } = openCounter()
    const begun = Promise.withResolvers<void>()
    const slow = Promise.withResolvers<void>()
    const appendSlowly = async (admitted: readonly VerifiedTransaction[]): Promise<Appended> => {
      begun.resolve()
      await slow.promise
      return await append(admitted)
    }
    const batches = createBatches({ append: appendSlowly }, fail)
    const submitted = Promise.allSettled(Array.from({ length: 300 }, () => batches.submit(transaction)))
    await begun.promise
    const closed = batches.close()
    slow.resolve()
    await closed
    const outcomes = (await submitted).map(({ status }) => status)
    assert.deepEqual(sizes, [256])
    assert.deepEqual([outcomes.indexOf('rejected'), outcomes.length], [256, 300])
  })
})
