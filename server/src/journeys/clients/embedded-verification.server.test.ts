import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity, Verification } from '@millseal/contract'
import { sampleCertificate } from '../../../test/certificates.ts'
import { eventually } from '../../../test/eventually.ts'
import { startOwnServer, type TestServer } from '../../../test/test-server.ts'
import { newOwner, type Owner } from '../../../test/machines.ts'

let server: TestServer
let mill: Owner
let identity: Identity
before(async () => {
  server = await startOwnServer()
  mill = await newOwner(server, 'published-mill')
  const client = server.client(mill.admin.accessToken)
  const wallet = await client.createWallet({ ...inTest(), body: {} })
  const body = { coinType: 822, account: 0, wallet: wallet.id }
  identity = await client.createIdentity({ ...inTest(), body })
})
after(() => server[Symbol.asyncDispose]())

const inTest = () => ({ company: mill.company.id, query: { mode: 'test' } }) as const
const origin = 'https://mill.example.com'

/** The answer that a page of another origin gets; undefined if the browser blocks it. */
const verify = async (text: string, query = '?mode=test') => {
  const headers = { 'content-type': 'application/json', origin }
  const url = `${server.url}/api/certificates/verify${query}`
  const response = await fetch(url, { method: 'POST', headers, body: text })
  assert.equal(response.headers.get('access-control-allow-origin'), '*', `${response.status}`)
  return (await response.json()) as Verification
}

describe('the verification that other websites embed', () => {
  test('can be called from any origin', async () => {
    const preflight = await fetch(`${server.url}/api/certificates/verify?mode=live`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    assert.ok(preflight.ok)
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST/)
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /content-type/)
  })

  test('gets everything it shows, for a file with any white space and order of keys', async () => {
    const certificate = sampleCertificate()
    const client = server.client(mill.admin.accessToken)
    await client.notarizeCertificate({
      company: mill.company.id,
      query: { mode: 'test', identity: identity.id },
      document: new Blob([JSON.stringify(certificate)], { type: 'application/json' }),
    })
    const { RefSchemaUrl, Certificate } = certificate
    const file = `${JSON.stringify({ Certificate, RefSchemaUrl }, null, '\t')}\r\n`
    const anonymous = await eventually(async () => {
      const found = await verify(file)
      return found.isValid && found
    })
    assert.deepEqual(anonymous.summary, {
      identifier: Certificate.CommercialTransaction.A03,
      sellerName: 'Rolling Mill',
      buyerName: 'Bridge Works',
      productDescription: 'Hot rolled plate',
      orderNumber: 'PO-4711',
      orderPosition: '10',
      deliveryNumber: 'DN-815',
      heats: [Certificate.ProductDescription.B07, '175508-1'],
    })
    assert.equal(anonymous.hash.algorithm, 'sha256')
    assert.match(anonymous.hash.value, /^[0-9a-f]{64}$/)
    assert.ok(Math.abs(new Date(anonymous.timestamp ?? '').getTime() - Date.now()) < 3_600_000)
    assert.deepEqual([anonymous.company, anonymous.identity], [undefined, undefined])

    await client.notarizeIdentity({ ...inTest(), params: { identityId: identity.id } })
    const named = await verify(file)
    assert.equal(named.company?.name, mill.company.name)
    assert.deepEqual([named.identity?.id, named.identity?.publicKey], [identity.id, identity.publicKey])
    assert.equal((await verify(file, '?mode=live')).isValid, false)
  })

  test('gets a reason for a file that cannot be verified, and none for one that was never notarized', async () => {
    const certificate = sampleCertificate()
    for (const other of [
      certificate,
      { ...certificate, RefSchemaUrl: 'https://example.com/v9/schema.json' },
    ]) {
      const unknown = await verify(JSON.stringify(other))
      assert.deepEqual([unknown.isValid, unknown.message], [false, undefined])
    }
    const large = JSON.stringify({ ...certificate, Attachment: 'x'.repeat(4 * 1024 * 1024) })
    for (const text of ['', 'no JSON', '[]', '{"a":1}', '{"a":1,"a":2}', large]) {
      const refused = await verify(text)
      assert.ok(!refused.isValid)
      assert.equal(typeof refused.message, 'string', text.slice(0, 20))
    }
    assert.equal(typeof (await verify(JSON.stringify(certificate), '')).message, 'string')
  })
})
