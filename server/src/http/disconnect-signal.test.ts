import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { disconnectSignal } from './disconnect-signal.ts'

/** Sends one POST to a server that reads the body; the test answers. */
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
  const signal = disconnectSignal(response)
  await incoming.toArray()
  return { outgoing, response, signal }
}

test('the signal does not abort when the body has been read or the answer was sent', async (t) => {
  const { outgoing, response, signal } = await received(t)
  assert.equal(signal.aborted, false)
  response.end('an answer')
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  await answer.toArray()
  if (!response.closed) await once(response, 'close')
  assert.equal(signal.aborted, false)
  assert.equal(disconnectSignal(response).aborted, false)
})

test('the signal aborts if the client disconnects', async (t) => {
  const { outgoing, response, signal } = await received(t)
  outgoing.destroy()
  await once(signal, 'abort')
  assert.equal(disconnectSignal(response).aborted, true)
})
