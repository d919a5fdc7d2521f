import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { openHttpLog } from './http-log.ts'

const serving = async (listener: RequestListener) => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('a log over HTTP', () => {
  test('is unreachable if it does not answer within the deadline, before or after the headers', async () => {
    for (const listener of [
      () => {},
      (_request, response) => void response.write('x'),
    ] satisfies RequestListener[]) {
      await using server = await serving(listener)
      await assert.rejects(openHttpLog(server.url, { deadlineMs: 100 }).readCheckpoint(), {
        name: 'LogUnreachable',
      })
    }
  })

  test('is never read further than its largest possible answer', async () => {
    let sent = 0
    await using server = await serving((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
      }
      response.on('drain', more)
      more()
    })
    const log = openHttpLog(server.url)
    await assert.rejects(log.readCheckpoint(), { name: 'LogMalformed', message: /maximum 65536 bytes/ })
    await assert.rejects(log.readTile({ level: 0, index: 0, width: 256 }), { name: 'LogMalformed' })
    assert.ok(sent < 64 * 1_024 * 1_024, `${sent} bytes`)
  })
})
