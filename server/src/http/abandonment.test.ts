import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { abandonmentOf } from './abandonment.ts'

/** A server and one POST to it whose body it has read; the answer is up to the test. */
const received = async (t: { after: (work: () => void) => void }) => {
  const server = createServer()
  t.after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const outgoing = request({ port, method: 'POST' })
  outgoing.on('error', () => {})
  outgoing.end('a body')
  const [incoming, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  const signal = abandonmentOf(response)
  await incoming.toArray()
  return { outgoing, response, signal }
}

test('a call is not given up because its body was read, nor because it was answered', async (t) => {
  const { outgoing, response, signal } = await received(t)
  assert.equal(signal.aborted, false)
  response.end('an answer')
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  await answer.toArray()
  if (!response.closed) await once(response, 'close')
  assert.equal(signal.aborted, false)
  assert.equal(abandonmentOf(response).aborted, false)
})

test('a call is given up when nobody waits for the answer any more', async (t) => {
  const { outgoing, response, signal } = await received(t)
  outgoing.destroy()
  await once(signal, 'abort')
  assert.equal(abandonmentOf(response).aborted, true)
})
