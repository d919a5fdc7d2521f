import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { undisturbed } from '../../test/undisturbed.ts'
import { startDeadline } from './deadline.ts'

const program = join(import.meta.dirname, '../../test/deadline-process.ts')

/** Makes a process ask for something with a deadline, and returns what the process says became of it. */
const outcomeOf = async (
  ms: number,
  during: (asking: ChildProcess, answer: ServerResponse) => Promise<void>,
): Promise<string> => {
  const asked = Promise.withResolvers<ServerResponse>()
  const server = createServer((request, response) => {
    if (request.url === '/warm') response.end('warm')
    else asked.resolve(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const child = fork(program, [url, String(ms)])
  try {
    await once(child, 'message')
    const said = once(child, 'message')
    child.send('ask')
    await during(child, await asked.promise)
    return String((await said)[0])
  } finally {
    child.kill('SIGKILL')
    server.closeAllConnections()
    server.close()
  }
}

/** A stop is a duration by its nature; a longer one changes nothing. */
const stop = async (child: ChildProcess, ms: number, work?: () => void): Promise<void> => {
  child.kill('SIGSTOP')
  work?.()
  await delay(ms)
  child.kill('SIGCONT')
}

describe('a deadline of a process that is stopped', () => {
  test('lets the process read what has arrived before it decides', async () => {
    const outcomes: string[] = []
    const answeredDuringStop = () =>
      outcomeOf(1_000, (child, answer) => stop(child, 1_500, () => void answer.end('answered')))
    for (let made = 0; made < 10; made += 1) outcomes.push(await undisturbed(answeredDuringStop))
    assert.deepEqual(outcomes, Array<string>(10).fill('answered'))
  })

  test('does not count the time of the stop: an answer that comes afterwards is still awaited', async () => {
    const answeredAfterwards = () =>
      outcomeOf(5_000, async (child, answer) => {
        await stop(child, 6_000)
        answer.end('answered')
      })
    const outcome = await undisturbed(answeredAfterwards)
    assert.equal(outcome, 'answered')
  })

  test('ends a call that has no answer, however often the process is stopped', async () => {
    const outcome = await outcomeOf(500, async (child) => {
      for (let stops = 0; stops < 3; stops += 1) await stop(child, 600)
    })
    assert.equal(outcome, 'TimeoutError')
  })
})

describe('a deadline', () => {
  test('is never early', async () => {
    const startedAt = performance.now()
    await new Promise<void>((resolve) => void startDeadline(50, resolve))
    assert.ok(performance.now() - startedAt >= 50)
  })

  test('that was disposed of ends nothing', async () => {
    const ended: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = startDeadline(1, () => ended.push('first'))
    startDeadline(1, () => {
      ended.push('second')
      resolve()
    })
    first[Symbol.dispose]()
    await promise
    assert.deepEqual(ended, ['second'])
  })
})
