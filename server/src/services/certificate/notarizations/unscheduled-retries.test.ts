import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createUnscheduledRetries } from './unscheduled-retries.ts'

const leaseMs = 30

describe('retries that could not be written', () => {
  const open = () => {
    const retries = createUnscheduledRetries({ leaseMs })
    const writtenAt = async (now: number): Promise<readonly string[]> => {
      const written: string[] = []
      await retries.schedule(now, async (ids) => void written.push(...ids))
      return written
    }
    return { retries, writtenAt }
  }

  test('are written once, those of an attempt whose lease has ended never', async () => {
    const { retries, writtenAt } = open()
    retries.add('over', 0)
    retries.add('held', 1)
    assert.deepEqual(await writtenAt(leaseMs), ['held'])
    assert.deepEqual(await writtenAt(leaseMs), [])
  })

  test('are written until the end of a lease that was renewed, but not by a renewal that failed', async () => {
    const { retries, writtenAt } = open()
    await retries.renew(10, Promise.resolve())
    await assert.rejects(retries.renew(20, Promise.reject(new Error('no database'))), /no database/)
    retries.add('renewed', 0)
    assert.deepEqual(await writtenAt(leaseMs + 9), ['renewed'])
    retries.add('renewed', 0)
    assert.deepEqual(await writtenAt(leaseMs + 10), [])
    retries.add('begun after it', 15)
    assert.deepEqual(await writtenAt(leaseMs + 14), ['begun after it'])
  })

  test('are not forgotten if they are added while others are written', async () => {
    const { retries, writtenAt } = open()
    retries.add('one', 0)
    await retries.schedule(0, async () => retries.add('two', 0))
    assert.deepEqual(await writtenAt(0), ['two'])
  })

  test('stay until they are written, and nothing is written if there are none', async () => {
    const { retries, writtenAt } = open()
    const refuse = () => Promise.reject(new Error('read-only'))
    await retries.schedule(0, refuse)
    retries.add('one', 0)
    await assert.rejects(retries.schedule(0, refuse), /read-only/)
    assert.deepEqual(await writtenAt(0), ['one'])
  })
})
