import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { freePort } from '../../../../test/server-process.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { Secret } from '../../../lib/secret.ts'
import { BrokerUnavailable } from '../../../ports/broker/broker.ts'
import { createRabbitMqBroker } from './rabbitmq-broker.ts'

const longestPauseMs = 1_000

const openNowhere = async () =>
  createRabbitMqBroker({ url: new Secret(`amqp://127.0.0.1:${await freePort()}`), log: silentLog })

describe('while RabbitMQ is away', () => {
  test('each second at the latest it is tried again, however long it is away', async (t) => {
    const pausesMs: number[] = []
    const wait = globalThis.setTimeout
    // The pauses before attempts to connect, shortened.
    t.mock.method(globalThis, 'setTimeout', (work: () => void, ms: number) => {
      const isAttempt = work.name === 'bound _connect'
      if (isAttempt) pausesMs.push(ms)
      return wait(work, isAttempt ? 0 : ms)
    })
    await using _broker = await openNowhere()
    await eventually(() => pausesMs.length >= 30)
    assert.deepEqual(
      pausesMs.filter((ms) => ms > longestPauseMs),
      [],
    )
  })

  test('a message is not refused but was not offered', async () => {
    await using broker = await openNowhere()
    const message = {
      topic: 'company/1/test/certificates/notarize_one',
      payload: Buffer.from('{}'),
      messageId: '1',
    }
    await assert.rejects(broker.publish([message], AbortSignal.timeout(50)), BrokerUnavailable)
  })
})
