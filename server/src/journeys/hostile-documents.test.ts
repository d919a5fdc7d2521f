import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sampleCertificate } from '../../test/certificates.ts'
import { openHouse, type TestHouse } from '../../test/house.ts'
import { everyScope, newApplication, newOwner, tokenOf } from '../../test/machines.ts'
import { newIdentity } from '../../test/signers.ts'

let house: TestHouse
let token: string
let identity: string

before(async () => {
  house = await openHouse()
  const owner = await newOwner(house, 'careful-mill')
  token = await tokenOf(house, await newApplication(house, owner, { scopes: everyScope }))
  const client = house.client(token)
  identity = (await newIdentity(client, owner.company.id)).id
})
after(() => house[Symbol.asyncDispose]())

type Body = string | Uint8Array<ArrayBuffer>

const send = (path: string, body: Body, type = 'application/json'): Promise<Response> =>
  fetch(`${house.url}/api/certificates/${path}`, {
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

const whole = JSON.stringify(sampleCertificate())
const withMember = (member: string): string => `{${member},${whole.slice(1)}`
const latin1 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'latin1'))

const documents: readonly (readonly [name: string, body: Body, statuses: readonly number[]])[] = [
  ['nothing', '', [400]],
  ['no JSON', 'certificate', [400]],
  ['a list', '[]', [400]],
  ['a number', '1', [400]],
  ['no RefSchemaUrl', '{}', [400]],
  ['a RefSchemaUrl that is no text', '{"RefSchemaUrl": 7}', [400]],
  [
    'a schema of the metadata service of a cloud',
    '{"RefSchemaUrl": "http://169.254.169.254/schema.json"}',
    [404, 200],
  ],
  ['a key twice', withMember('"a":1,"a":2'), [400]],
  ['a key twice, escaped', withMember('"a":1,"\\u0061":2'), [400]],
  ['a number that no double holds', withMember('"a":12345678901234567890'), [400]],
  ['a number beyond all', withMember('"a":1e400'), [400]],
  ['half a surrogate pair', withMember('"a":"\\ud800"'), [400]],
  ['a NUL', withMember('"a":"\\u0000"'), [400]],
  ['bytes that are no UTF-8', latin1(withMember('"a":"\xff"')), [400]],
  ['a member called __proto__', withMember('"__proto__":{"isValid":true}'), [400]],
  ['JSON deeper than allowed', withMember(`"a":${'['.repeat(70)}${']'.repeat(70)}`), [400]],
  ['a hundred thousand brackets', '['.repeat(100_000), [400]],
  ['too many keys', withMember(Array.from({ length: 2_000 }, (_, key) => `"k${key}":1`).join()), [400, 413]],
  ['more than allowed', `{"a":"${'x'.repeat(1_100_000)}"}`, [413]],
]

describe('a hostile document', () => {
  for (const [name, body, statuses] of documents) {
    test(`${name}: a 4xx with the seven fields, and nothing breaks`, async () => {
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

  const pdfs: readonly (readonly [string, string])[] = [
    ['only its header', '%PDF-1.7\n'],
    ['endless names', `%PDF-1.7\n${'/EmbeddedFile '.repeat(50_000)}`],
    [
      'a stream that says it is a bomb',
      '%PDF-1.7\n1 0 obj<</Type/EmbeddedFile/Filter/FlateDecode/Length 9999999999>>stream\nx\u00da\u0003endstream',
    ],
    [
      'JSON that is no certificate',
      '%PDF-1.7\n1 0 obj<</Type/EmbeddedFile/Length 2>>stream\n{}\nendstream endobj',
    ],
  ]
  for (const [name, text] of pdfs) {
    test(`a PDF with ${name} is not known, and that is all`, async () => {
      const response = await send('verify?mode=test', latin1(text), 'application/pdf')
      assert.equal(response.status, 200)
      assert.equal(((await response.json()) as { isValid: boolean }).isValid, false)
    })
  }

  test('multipart that ends too early, has no file or two, is a 4xx', async () => {
    const part = (name: string, filename: string) =>
      `--edge\r\nContent-Disposition: form-data; name="${name}"${filename === '' ? '' : `; filename="${filename}"`}\r\n\r\n{}\r\n`
    const bodies = [
      '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n{"Ref',
      `${part('other', '')}--edge--\r\n`,
      `${part('file', 'a.json')}${part('file', 'b.json')}--edge--\r\n`,
      '--edge--\r\n',
      '',
    ]
    for (const body of bodies) {
      const response = await send('validate-file', body, 'multipart/form-data; boundary=edge')
      assert.ok(response.status >= 400 && response.status < 500, `${response.status} for ${body}`)
    }
  })

  test('script in every text of a certificate is text in its HTML', async () => {
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

  test('no text of a certificate poses as a line of the mail that brings it', async () => {
    const address = 'goods-in@hostile.example'
    const certificate = sampleCertificate({ receiver: { email: address } })
    certificate.Certificate.ProductDescription.B01 =
      'Plate\r\n\nPAY AT ONCE: https://evil.example\u2028NOW \u202etxt'
    certificate.Certificate.CommercialTransaction.A01.Name = 'Mill\nBcc: victim@example.com'
    const response = await send(`notarize?mode=test&identity=${identity}`, JSON.stringify(certificate))
    assert.equal(response.status, 201, await response.text())
    const [mail = ''] = await house.mailsTo(address, 1)
    const text = mail.split('Content-Type: application/json', 1)[0] ?? ''
    const readable = Buffer.from(
      text.replaceAll(/=\r\n/g, '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`),
    ).toString('latin1')
    assert.match(readable, /Plate/)
    assert.doesNotMatch(readable, /^(?:PAY AT ONCE|NOW|Bcc)/m)
    assert.doesNotMatch(readable, /%E2%80%A[8E]/)
  })

  test('none of it was logged as an error of ours', () => {
    assert.deepEqual(
      house.log.filter((line) => /"level":(50|60|"error"|"fatal")/.test(line)),
      [],
    )
  })
})
