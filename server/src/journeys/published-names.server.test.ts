import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity } from '@millseal/contract'
import {
  coaOf01,
  draftCoa,
  draftECoc,
  oldEn10168,
  oldMetals,
  oldTimber,
  realCertificates,
  withoutRealCertificates,
} from '@millseal/families/testing'
import { checkedByOwn } from '../../test/checked-by.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'

let server: TestServer
let mill: Owner
let identity: Identity

before(async () => {
  server = await startOwnServer()
  mill = await newOwner(server, 'names-mill')
  identity = await newIdentity(server.client(mill.admin.accessToken), mill.company.id)
})
after(() => server[Symbol.asyncDispose]())

const post = (path: string, body: string | Buffer): Promise<Response> =>
  fetch(`${server.url}/api/certificates/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${mill.admin.accessToken}`,
      company: mill.company.id,
      'content-type': 'application/json',
    },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })

const goesAllTheWay = async (text: string, refSchemaUrl: string): Promise<void> => {
  const schema = refSchemaUrl.replace(/^https:\/\/[^/]+/, 'https://schemas.millseal.org')
  const validated = await post('validate', text)
  assert.equal(validated.status, 200, await validated.clone().text())
  assert.equal(validated.headers.get('checked-by'), schema)
  assert.deepEqual(await validated.json(), JSON.parse(text))
  const html = await post('render?type=html', text)
  assert.equal(html.status, 200)
  assert.equal(html.headers.get('checked-by'), schema)
  assert.match(await html.text(), /^<!doctype html>/)
  const accepted = await post(`notarize?mode=test&identity=${identity.id}`, text)
  assert.equal(accepted.status, 201, await accepted.clone().text())
  const { jobId, checkedBy } = (await accepted.json()) as { jobId: string; checkedBy: object }
  assert.deepEqual(checkedBy, await checkedByOwn(schema))
  const client = server.client(mill.admin.accessToken)
  const { state } = await endedNotarization(client, { company: mill.company.id, jobId })
  assert.equal(state, 'notarized')
  const verified = await post('verify?mode=test', text)
  assert.equal(((await verified.json()) as { isValid: boolean }).isValid, true)
}

const certificates = [
  // The form of the certificate that the Node-RED nodes of other services send.
  oldEn10168('0.2.0'),
  oldEn10168('0.0.2'),
  draftCoa('0.0.4'),
  coaOf01('0.2.0'),
  draftECoc(),
  oldMetals('0.0.1'),
  ...oldTimber,
]

describe('a fresh installation', () => {
  for (const certificate of certificates) {
    const name = String(certificate['RefSchemaUrl'])
    test(`validates, renders, notarizes and verifies ${name}`, () =>
      goesAllTheWay(JSON.stringify(certificate), name))
  }

  for (const { name, bytes } of withoutRealCertificates === false ? realCertificates() : []) {
    if (!/\/valid_(certificate_1|basic_certificate)\.json$/.test(name)) continue
    test(`validates, renders, notarizes and verifies the published ${name}`, () => {
      const text = bytes.toString('utf8')
      return goesAllTheWay(text, (JSON.parse(text) as { RefSchemaUrl: string }).RefSchemaUrl)
    })
  }
})
