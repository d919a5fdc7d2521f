import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Document, limits, operations } from '@millseal/contract'
import { openPlumbing, type Plumbing } from '../../test/plumbing.ts'
import { Problem } from '../lib/problem.ts'
import { bind } from './binding.ts'

const received: Document[] = []
const reject = async () => {
  throw new Problem('certificate_invalid')
}
let plumbing: Plumbing
before(async () => {
  const receive = async ({ body }: { body: Document }) => {
    received.push(body)
    return { type: 'text/html', bytes: 'received' }
  }
  plumbing = await openPlumbing([
    bind(operations.renderCertificate, receive),
    bind(operations.renderCertificateFile, receive),
    bind(operations.verifyCertificate, reject),
  ])
})
after(() => plumbing[Symbol.asyncDispose]())

const boundary = 'a-boundary'
const part = (name: string, content: string, filename?: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: application/json`}\r\n\r\n${content}\r\n`
const end = `--${boundary}--\r\n`

const send = async (
  body: string | Uint8Array<ArrayBuffer> | FormData,
  type?: string,
  path = '/api/certificates/render?type=html',
) => {
  received.length = 0
  const response = await fetch(`${plumbing.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${plumbing.token}`,
      ...(type !== undefined && { 'content-type': type }),
    },
    body,
  })
  const text = await response.text()
  return { status: response.status, text }
}
const multipart = `multipart/form-data; boundary=${boundary}`

describe('a document', () => {
  test('sent as the body arrives byte for byte', async () => {
    const bytes = new TextEncoder().encode('{ "b":1.0,\r\n "a" : "\\u00e9", "a": 2 }')
    assert.equal((await send(bytes, 'application/json')).status, 200)
    assert.deepEqual(Buffer.from(received[0]?.bytes ?? []), Buffer.from(bytes))
    assert.equal(received[0]?.type, 'application/json')
  })

  test('may be a file of a multipart body, at both paths and in any field', async () => {
    for (const path of ['/api/certificates/render?type=html', '/api/certificates/render-file?type=html']) {
      const form = new FormData()
      form.set('note', 'for the buyer')
      form.set('certificate', new Blob(['{"a":1}'], { type: 'application/json' }), 'certificate.json')
      assert.equal((await send(form, undefined, path)).status, 200)
      assert.equal(Buffer.from(received[0]?.bytes ?? []).toString(), '{"a":1}')
      assert.equal(received[0]?.filename, 'certificate.json')
    }
  })

  test('may have the maximum size; a larger one is 413, both ways', async () => {
    const fits = 'x'.repeat(limits.body.certificateBytes - 100)
    const tooMuch = 'x'.repeat(limits.body.certificateBytes + 1)
    assert.equal((await send(fits, 'application/json')).status, 200)
    const refused = await send(tooMuch, 'application/json')
    assert.equal(refused.status, 413)
    assert.deepEqual((JSON.parse(refused.text) as { details: unknown }).details, [
      'A certificate may have 3 MiB here, and a PDF to verify 10 MiB; the operator sets this with MILLSEAL_CERTIFICATE_MIB',
    ])
    assert.equal((await send(part('file', fits, 'c.json') + end, multipart)).status, 200)
    const form = await send(part('file', tooMuch, 'c.json') + end, multipart)
    assert.equal(form.status, 413)
    assert.match(form.text, /MILLSEAL_CERTIFICATE_MIB/)
  })

  test('may be larger if it is a PDF, but not if JSON is sent as PDF', async () => {
    const megabytes = (count: number) => 'x'.repeat(count * 1024 * 1024)
    const verify = async (body: string, type = 'application/pdf') =>
      (await send(body, type, '/api/certificates/verify?mode=test')).status
    assert.equal(await verify(`%PDF-1.7 ${megabytes(3)}`), 400, 'it was read')
    assert.equal(await verify(`%PDF-1.7 ${megabytes(11)}`), 413)
    assert.equal(await verify(`{"a":"%PDF-1.7 ${megabytes(3)}"}`), 413)
    assert.equal(await verify(`{"a":"${megabytes(3)}"}`, 'application/json'), 413)
  })

  test('may be larger if the operator raises the limit', async () => {
    await using generous = await openPlumbing([bind(operations.verifyCertificate, reject)], {
      certificateBytes: 2 * limits.body.certificateBytes,
    })
    const verify = async (length: number) => {
      const body = `{"a":"${'x'.repeat(length)}"}`
      const headers = { 'content-type': 'application/json' }
      const url = `${generous.url}/api/certificates/verify?mode=test`
      return (await fetch(url, { method: 'POST', headers, body })).status
    }
    assert.equal(await verify(1.5 * limits.body.certificateBytes), 400, 'it was read')
    assert.equal(await verify(2.5 * limits.body.certificateBytes), 413)
  })

  test('that is missing is 400', async () => {
    for (const path of ['/api/certificates/render?type=html', '/api/certificates/render-file?type=html']) {
      const authorization = `Bearer ${plumbing.token}`
      const response = await fetch(`${plumbing.url}${path}`, { method: 'POST', headers: { authorization } })
      assert.equal(response.status, 400)
      assert.match(((await response.json()) as { message: string }).message, /body is required/)
    }
  })

  const hostile: [name: string, body: string, status: readonly number[], type?: string][] = [
    ['no end', part('file', '{}', 'c.json'), [400]],
    ['cut in the middle of a header', `--${boundary}\r\nContent-Dispo`, [400]],
    ['two files', part('a', '{}', 'a.json') + part('b', '{}', 'b.json') + end, [413]],
    ['5,000 fields', `${part('f', 'x').repeat(5_000)}${end}`, [413]],
    ['a field of 100 kB', part('f', 'x'.repeat(100_000)) + part('file', '{}', 'c.json') + end, [200, 413]],
    ['a field called __proto__', part('__proto__', 'x') + part('file', '{}', 'c.json') + end, [400]],
    ['no file', part('note', 'x') + end, [400]],
    ['nothing at all', '', [400]],
    ['no boundary', 'x', [400, 415], 'multipart/form-data'],
    ['another boundary', part('file', '{}', 'c.json') + end, [400], 'multipart/form-data; boundary=other'],
    [
      '100 header lines in a part',
      `--${boundary}\r\n${'X-A: b\r\n'.repeat(100)}Content-Disposition: form-data; name="file"; filename="c"\r\n\r\n{}\r\n${end}`,
      [200, 400],
    ],
  ]
  for (const [name, body, statuses, type] of hostile) {
    test(`a multipart body with ${name} is ${statuses.join(' or ')}`, async () => {
      const { status, text } = await send(body, type ?? multipart)
      assert.ok(statuses.includes(status), `${status} ${text}`)
      if (status !== 200) assert.equal(JSON.parse(text).statusCode, status)
    })
  }
})
