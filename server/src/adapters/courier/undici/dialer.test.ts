import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { generousMs } from '../../../../test/eventually.ts'
import { NotDelivered } from '../../../ports/courier/courier.ts'
import { createResolve } from './dialer.ts'

const types = { a: 1, aaaa: 28 }
const addresses = new Map([
  ['erp.example 1', Buffer.from([192, 0, 2, 7])],
  ['erp.example 28', Buffer.from('20010db8000000000000000000000007', 'hex')],
  ['old.example 1', Buffer.from([192, 0, 2, 8])],
])

/** The name and type that a question of RFC 1035 asks for, and its bytes. */
const questionIn = (message: Buffer) => {
  const labels: string[] = []
  let at = 12
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), bytes: message.subarray(12, at + 5) }
}

/** Undefined if the name server stays silent. */
const answerTo = (message: Buffer): Buffer | undefined => {
  const { name, type, bytes } = questionIn(message)
  if (name.startsWith('silent')) return undefined
  const address = addresses.get(`${name} ${type}`)
  const isKnown = Object.values(types).some((one) => addresses.has(`${name} ${one}`))
  const header = Buffer.from([
    0,
    0,
    0x81,
    isKnown ? 0x80 : 0x83,
    0,
    1,
    0,
    address === undefined ? 0 : 1,
    0,
    0,
    0,
    0,
  ])
  message.copy(header, 0, 0, 2)
  if (address === undefined) return Buffer.concat([header, bytes])
  const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length])
  return Buffer.concat([header, bytes, record, address])
}

describe('the addresses of a name', () => {
  let server: Socket
  const resolve = (name: string, timeoutMs = generousMs) =>
    createResolve({ servers: [`127.0.0.1:${server.address().port}`], timeoutMs })(name)
  before(async () => {
    server = createSocket('udp4')
    server.on('message', (message, { port, address }) => {
      const answer = answerTo(message)
      if (answer !== undefined) server.send(answer, port, address)
    })
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => {
    server.close()
  })

  test('are all that the name servers have, of both versions', async () => {
    assert.deepEqual(await resolve('erp.example'), ['192.0.2.7', '2001:db8::7'])
    assert.deepEqual(await resolve('old.example'), ['192.0.2.8'])
  })

  test('are those of the hosts file if the name servers do not know the name', async () => {
    for (const address of await resolve('localhost')) assert.match(address, /^(127\.0\.0\.1|::1)$/)
    assert.notDeepEqual(await resolve('localhost'), [])
  })

  test('are not looked up elsewhere while the name servers are silent', async () => {
    await assert.rejects(
      resolve('silent.example', 250),
      (error) => error instanceof NotDelivered && error.message === 'The host name could not be resolved',
    )
  })
})
