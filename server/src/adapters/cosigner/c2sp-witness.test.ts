import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { cosignerKey } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { generousMs } from '../../../test/eventually.ts'
import { freePort } from '../../../test/server-process.ts'
import type { CosignerAnswer, OfferedCheckpoint } from '../../ports/cosigner/cosigner.ts'
import { createC2spWitness } from './c2sp-witness.ts'

const key = cosignerKey('witness.example', new Uint8Array(32).fill(3), nodePrimitives)
const { signal: never } = new AbortController()
const offer: OfferedCheckpoint = {
  oldSize: 5,
  size: 7,
  proof: [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)],
  note: 'mill.example/ledger/test\n7\nroot\n\n— mill.example/ledger/test sig\n',
}

/** A server that answers what the test says, as witnesses and proxies before them do. */
const startAnswering = async (answer: (response: ServerResponse) => unknown) => {
  const requests: { method: string; url: string; body: string }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ method: request.method ?? '', url: request.url ?? '', body })
      answer(response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return {
    requests,
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const ask = async (
  answer: (response: ServerResponse) => unknown,
  { timeoutMs = generousMs, ...changed }: Partial<OfferedCheckpoint> & { readonly timeoutMs?: number } = {},
): Promise<CosignerAnswer> => {
  await using witness = await startAnswering(answer)
  const cosigner = createC2spWitness({ name: 'w', key, url: witness.url, timeoutMs })
  return await cosigner.addCheckpoint({ ...offer, ...changed }, never)
}
const status =
  (code: number, body = '', headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(code, headers).end(body)

describe('a witness of C2SP', () => {
  test('is sent the old size, the proof and the checkpoint, in the format of tlog-witness', async () => {
    await using witness = await startAnswering(status(200, '— a b\n— c d\n'))
    const cosigner = createC2spWitness({
      name: 'w',
      key,
      url: `${witness.url}/prefix`,
      timeoutMs: generousMs,
    })
    assert.deepEqual(await cosigner.addCheckpoint(offer, never), {
      kind: 'cosigned',
      lines: ['— a b', '— c d'],
    })
    assert.deepEqual(witness.requests, [
      {
        method: 'POST',
        url: '/prefix/add-checkpoint',
        body: `old 5\n${Buffer.alloc(32, 1).toString('base64')}\n${Buffer.alloc(32, 2).toString('base64')}\n\n${offer.note}`,
      },
    ])
  })

  test('that has another number of entries names it', async () => {
    const sized = { 'content-type': 'text/x.tlog.size' }
    assert.deepEqual(await ask(status(409, '6\n', sized)), { kind: 'has', size: 6 })
    assert.deepEqual(await ask(status(409, '900\n', sized)), { kind: 'has', size: 900 })
    assert.deepEqual(await ask(status(409, '0', sized)), { kind: 'has', size: 0 })
  })

  test('contradicts the log if the proof from its own size does not hold, or it has as many other entries', async () => {
    for (const answer of [
      await ask(status(422)),
      await ask(status(409), { oldSize: 7, proof: [] }),
      await ask(status(409, '7\n'), { oldSize: 7, proof: [] }),
      await ask(status(422), { oldSize: 7, proof: [] }),
    ])
      assert.equal(answer.kind, 'contradicts')
  })

  test('contradicts nothing by any other answer, which gives the reason', async () => {
    const cases: readonly (readonly [CosignerAnswer, RegExp])[] = [
      [await ask(status(404)), /does not serve this log/],
      [await ask(status(403, 'unknown key')), /does not serve this log.*403: unknown key/],
      [await ask(status(500, 'not found')), /does not serve this log.*500: not found/],
      [await ask(status(429)), /status 429/],
      [await ask(status(503, 'a\u001b[2Jb')), /^status 503: a.*b$/],
      [await ask(status(400)), /status 400/],
      [await ask(status(301, '', { location: 'http://127.0.0.1/' })), /status 301/],
      [await ask(status(409, 'conflict')), /status 409: conflict/],
      [await ask(status(409, '5\n')), /status 409/],
      [await ask(status(409, '06\n')), /status 409/],
      [await ask(status(422), { oldSize: 0, proof: [] }), /status 422/],
      [await ask(status(409), { oldSize: 0, size: 0, proof: [] }), /status 409/],
      [await ask(status(200, 'x'.repeat(70_000))), /more than 65536 bytes/],
      [await ask((response) => response.destroy()), /UND_ERR_SOCKET|ECONNRESET/],
      [await ask(() => {}, { timeoutMs: 20 }), /no answer within 20 ms/],
    ]
    for (const [answer, reason] of cases) {
      assert.equal(answer.kind, 'unavailable')
      assert.match(answer.kind === 'unavailable' ? answer.why : '', reason)
    }
  })

  test('that does not listen is unavailable, and so is every one once the signal is aborted', async () => {
    const cosigner = createC2spWitness({
      name: 'w',
      key,
      url: `http://127.0.0.1:${await freePort()}`,
      timeoutMs: generousMs,
    })
    assert.deepEqual(await cosigner.addCheckpoint(offer, never), { kind: 'unavailable', why: 'ECONNREFUSED' })
    const aborted = await cosigner.addCheckpoint(offer, AbortSignal.abort())
    assert.equal(aborted.kind, 'unavailable')
  })
})
