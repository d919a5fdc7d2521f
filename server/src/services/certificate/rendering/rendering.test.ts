import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readCertificate } from '@millseal/families'
import { extractEmbeddedCertificate } from '@millseal/proof'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { everyScope, newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { codeOf } from '../hashing/code.ts'

let server: TestServer
let mill: Owner
let machineToken: string
before(async () => {
  server = await startTestServer()
  mill = await newOwner(server, 'rendering-mill')
  machineToken = await tokenOf(server, await newApplication(server, mill, { scopes: everyScope }))
})
after(() => server[Symbol.asyncDispose]())

type Options = {
  readonly type: 'html' | 'pdf'
  readonly token?: string
  readonly asFile?: boolean
  readonly draft?: boolean
}

const render = (
  certificate: object,
  { type, token = mill.admin.accessToken, asFile = false, draft }: Options,
): Promise<Response> => {
  const text = JSON.stringify(certificate)
  const form = new FormData()
  form.set('file', new File([text], 'c.json', { type: 'application/json' }))
  const query = draft === undefined ? `type=${type}` : `type=${type}&draft=${draft}`
  return fetch(`${server.url}/api/certificates/${asFile ? 'render-file' : 'render'}?${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(asFile ? {} : { 'content-type': 'application/json' }),
    },
    body: asFile ? form : text,
  })
}

describe('rendering a certificate', () => {
  test('as HTML gives a page that may load nothing', async () => {
    const certificate = sampleCertificate({ number: 'MC-4711' })
    for (const asFile of [false, true]) {
      const response = await render(certificate, { type: 'html', asFile })
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
      assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
      assert.equal(response.headers.get('render-warnings'), null)
      const page = await response.text()
      assert.match(page, /MC-4711/)
      assert.match(page, /Bridge Works/)
    }
  })

  test('as PDF embeds the bytes that were sent', async () => {
    const certificate = sampleCertificate()
    for (const asFile of [false, true]) {
      const response = await render(certificate, { type: 'pdf', asFile })
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'application/pdf')
      const pdf = new Uint8Array(await response.arrayBuffer())
      const embedded = await extractEmbeddedCertificate(pdf)
      assert.equal(Buffer.from(embedded ?? []).toString(), JSON.stringify(certificate))
    }
  })

  test('shows a person the live form and a machine the form of its mode', async () => {
    const certificate = sampleCertificate()
    const live = await (await render(certificate, { type: 'html' })).text()
    const inTest = await (await render(certificate, { type: 'html', token: machineToken })).text()
    const { hash } = readCertificate(Buffer.from(JSON.stringify(certificate)))
    for (const page of [live, inTest]) assert.ok(page.includes(`"${server.url}/v/${codeOf(hash)}"`))
    assert.notEqual(live, inTest, 'test mode is marked')
  })

  test('names in a header what it had to leave out', async () => {
    const certificate = sampleCertificate()
    certificate.Certificate.CommercialTransaction.A04 = 'data:image/png;base64,AAAA'
    const response = await render(certificate, { type: 'html' })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('render-warnings'), '/Certificate/CommercialTransaction/A04')
  })

  test('rejects a certificate that does not conform', async () => {
    const { RefSchemaUrl } = sampleCertificate()
    for (const type of ['html', 'pdf'] as const) {
      assert.equal((await render({ RefSchemaUrl }, { type })).status, 400)
      assert.equal((await render({ RefSchemaUrl: 'https://example.com/s' }, { type })).status, 404)
    }
  })

  test('shows what is incomplete only as a draft, which nobody can take for a certificate', async () => {
    const { RefSchemaUrl } = sampleCertificate()
    const incomplete = { RefSchemaUrl, Certificate: { CommercialTransaction: { A03: 'MC-4712', A07: 7 } } }
    for (const asFile of [false, true]) {
      assert.equal((await render(incomplete, { type: 'html', asFile })).status, 400)
      assert.equal((await render(incomplete, { type: 'html', asFile, draft: false })).status, 400)
      const response = await render(incomplete, { type: 'html', asFile, draft: true })
      assert.equal(response.status, 200)
      assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
      assert.match(response.headers.get('checked-by') ?? '', /en10168/)
      const page = await response.text()
      assert.match(page, /Draft: not notarized/)
      assert.match(page, /MC-4712/)
      assert.doesNotMatch(page, /<footer|\/v\//)
    }
    const complete = await (await render(sampleCertificate(), { type: 'html', draft: true })).text()
    assert.match(complete, /Draft: not notarized/)
    assert.doesNotMatch(complete, /<footer|\/v\//)
  })

  test('refuses a draft on paper, of an unknown schema, or that is too long', async () => {
    const { RefSchemaUrl } = sampleCertificate()
    const onPaper = await render({ RefSchemaUrl }, { type: 'pdf', draft: true })
    assert.equal(onPaper.status, 400)
    assert.match(await onPaper.text(), /query\/draft can be combined with type=html only/)
    const unknown = { RefSchemaUrl: 'https://example.com/s' }
    assert.equal((await render(unknown, { type: 'html', draft: true })).status, 404)
    const long = await render({ RefSchemaUrl, Note: 'a\n'.repeat(30_000) }, { type: 'html', draft: true })
    assert.equal(long.status, 400)
    assert.match(await long.text(), /\/Note is too long for paper/)
  })
})
