import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { verifyStamp } from '@millseal/proof'
import { generousMs } from '../../../test/eventually.ts'
import { freePort } from '../../../test/server-process.ts'
import { startSilent } from '../../../test/silent-server.ts'
import { startStampServer } from '../../../test/stamp-server.ts'
import { createRfc3161Http } from './rfc3161-http.ts'

const sha256 = hash('sha256', 'text', 'buffer')
const { signal: never } = new AbortController()

/** Why there is no time stamp if the authority is this server. */
const failureOf = async (url: string, timeoutMs = generousMs): Promise<string> => {
  await using known = await startStampServer('Known')
  const { authority } = known
  const answer = await createRfc3161Http({ url, authority, timeoutMs }).stamp(sha256, never)
  return answer.kind === 'unavailable' ? answer.why : answer.kind
}

const failureWith = async (answer: (response: ServerResponse) => unknown): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await failureOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('an authority for time stamps over HTTP', () => {
  test('gives a token that anybody can verify with its root', async () => {
    await using server = await startStampServer('Association')
    const { url, authority } = server
    const answer = await createRfc3161Http({ url, authority, timeoutMs: generousMs }).stamp(sha256, never)
    assert.equal(answer.kind, 'stamped')
    if (answer.kind !== 'stamped') return
    const { token, stamped } = answer
    assert.deepEqual(verifyStamp({ token, sha256, authorities: [authority] }), stamped)
    assert.equal(stamped.authority, 'Association')
  })

  test('that is another one gives nothing', async () => {
    await using other = await startStampServer('Other')
    assert.match(await failureOf(other.url), /of an authority that you do not trust/)
  })

  test('that does not answer as it should is a failure with its reason', async () => {
    assert.equal(await failureWith((response) => response.writeHead(500).end('no')), 'status 500')
    assert.equal(
      await failureWith((response) => response.writeHead(302, { location: '/' }).end()),
      'status 302',
    )
    assert.match(await failureWith((response) => response.end('<html>')), /not in DER/)
    assert.match(await failureWith((response) => response.end()), /not in DER/)
    const refusal = Buffer.from('30053003020102', 'hex')
    assert.match(await failureWith((response) => response.end(refusal)), /refused with status 2/)
    assert.match(await failureWith((response) => response.end(Buffer.alloc(70_000))), /more than 65536 bytes/)
    assert.match(await failureOf(`http://127.0.0.1:${await freePort()}/`), /ECONNREFUSED/)
  })

  test('that does not answer in time is a failure', async () => {
    await using silent = await startSilent()
    assert.equal(await failureOf(silent.url, 50), 'no answer within 50 ms')
  })
})
