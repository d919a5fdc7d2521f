import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../test/test-server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server[Symbol.asyncDispose]())

const send = async (headers: readonly string[], body: string): Promise<string> => {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.end(['POST /api/auth/login HTTP/1.1', 'Host: x', ...headers, '', body].join('\r\n'))
  return await text(socket)
}

describe('a request whose length is ambiguous', () => {
  for (const [name, headers] of Object.entries({
    'two lengths': ['Content-Length: 4', 'Content-Length: 5'],
    'a length and chunks': ['Content-Length: 4', 'Transfer-Encoding: chunked'],
    'a length that is no number': ['Content-Length: +4'],
    'chunks under another name': ['Transfer-Encoding: xchunked'],
  }))
    test(`is refused, and nothing after it is read as another request: ${name}`, async () => {
      const smuggled = '0\r\n\r\nGET /api/health HTTP/1.1\r\nHost: x\r\n\r\n'
      const answers = await send(headers, smuggled)
      assert.match(answers, /^HTTP\/1\.1 400 /)
      assert.equal(answers.match(/^HTTP\/1\.1 /gm)?.length, 1, answers)
    })
})
