import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type HostileBody,
  hostileDocuments,
  hostileForms,
  hostilePdfs,
} from '../../test/attacks/documents.ts'
import { sampleCertificate } from '../../test/certificates.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { everyScope, newApplication, newOwner, tokenOf } from '../../test/machines.ts'
import { newIdentity } from '../../test/signers.ts'

let server: TestServer
let token: string
let identity: string

before(async () => {
  server = await startOwnServer()
  const owner = await newOwner(server, 'careful-mill')
  token = await tokenOf(server, await newApplication(server, owner, { scopes: everyScope }))
  const client = server.client(token)
  identity = (await newIdentity(client, owner.company.id)).id
})
after(() => server[Symbol.asyncDispose]())

const send = (path: string, body: HostileBody, type = 'application/json'): Promise<Response> =>
  fetch(`${server.url}/api/certificates/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body,
  })

const paths = () => [
  'validate',
  'render?type=html',
  'render?type=pdf',
  `notarize?mode=test&identity=${identity}`,
  'verify?mode=test',
]

describe('a hostile document', () => {
  for (const [name, body, statuses] of hostileDocuments) {
    test(`${name}: a 4xx with the seven fields, and the server keeps working`, async () => {
      for (const path of paths()) {
        const response = await send(path, body)
        const answer = (await response.json()) as Record<string, unknown>
        const isMiss = path.startsWith('verify') && response.status === 200
        assert.ok(statuses.includes(response.status), `${path}: ${response.status} ${JSON.stringify(answer)}`)
        if (isMiss) assert.equal(answer['isValid'], false)
        else assert.equal(answer['statusCode'], response.status)
      }
    })
  }

  for (const [name, body] of hostilePdfs) {
    test(`a PDF with ${name} is unknown and is not parsed`, async () => {
      const response = await send('verify?mode=test', body, 'application/pdf')
      assert.equal(response.status, 200)
      assert.equal(((await response.json()) as { isValid: boolean }).isValid, false)
    })
  }

  test('multipart that ends too early, or has no file or two, is a 4xx', async () => {
    for (const body of hostileForms) {
      const response = await send('validate-file', body, 'multipart/form-data; boundary=edge')
      assert.ok(response.status >= 400 && response.status < 500, `${response.status} for ${body}`)
    }
  })

  test('script in any text of a certificate is text in its HTML', async () => {
    const attack = '"><script>fetch(1)</script><img src=x onerror=alert(1)>'
    const certificate = sampleCertificate({ number: attack })
    certificate.Certificate.CommercialTransaction.A01.Name = attack
    certificate.Certificate.ProductDescription.B01 = attack
    certificate.Certificate.Validation.Z01 = attack
    const response = await send('render?type=html', JSON.stringify(certificate))
    const page = await response.text()
    assert.equal(response.status, 200, page)
    assert.doesNotMatch(page, /<script|<img src=x/)
    assert.match(page, /&lt;script&gt;/)
  })

  test('no text of a certificate can look like a line of our mail', async () => {
    const address = 'careful-mill@example.com'
    const certificate = sampleCertificate()
    certificate.Certificate.ProductDescription.B01 =
      'Plate\r\n\nPAY AT ONCE: https://evil.example\u2028NOW \u202etxt'
    certificate.Certificate.CommercialTransaction.A01.Name = 'Mill\nBcc: victim@example.com'
    const response = await send(`notarize?mode=test&identity=${identity}`, JSON.stringify(certificate))
    assert.equal(response.status, 201, await response.text())
    const [mail = ''] = await server.mailsTo(address, 1, /A04|notarized/)
    const text = mail.split('Content-Type: application/json', 1)[0] ?? ''
    const readable = Buffer.from(
      text.replaceAll(/=\r\n/g, '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`),
    ).toString('latin1')
    assert.match(readable, /Plate/)
    assert.doesNotMatch(readable, /^(?:PAY AT ONCE|NOW|Bcc)/m)
    assert.doesNotMatch(readable, /%E2%80%A[8E]/)
  })

  test('none of these is logged as an error of the server', () => {
    assert.deepEqual(
      server.log.filter((line) => /"level":(50|60|"error"|"fatal")/.test(line)),
      [],
    )
  })
})
