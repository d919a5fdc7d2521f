import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { copyPublishedSchemas, realCertificates, withoutRealCertificates } from '@millseal/families/testing'
import { addPackIn } from '../compose/packs.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { everyScope, newApplication, newOwner, tokenOf } from '../../test/machines.ts'

let server: TestServer
let token: string

describe('published certificates, through the API', { skip: withoutRealCertificates }, () => {
  before(async () => {
    server = await startTestServer()
    await using folder = await makeTemporaryFolder()
    copyPublishedSchemas(folder.path)
    await addPackIn(server.config, folder.path, () => {})
    const owner = await newOwner(server, 'pack-user')
    token = await tokenOf(server, await newApplication(server, owner, { scopes: everyScope }))
  })
  after(() => server[Symbol.asyncDispose]())

  const post = (path: string, bytes: Uint8Array<ArrayBuffer>): Promise<Response> =>
    fetch(`${server.url}/api/certificates/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: bytes,
    })

  test('the list has the families and versions of the packs', async () => {
    const response = await fetch(`${server.url}/api/certificates/schemas`)
    const versions = (await response.json()) as Record<string, string[]>
    assert.ok(versions['en10168-schemas']?.includes('0.5.0'))
    assert.ok(versions['coa-schemas']?.includes('1.1.0'))
    assert.ok(versions['metals-schemas']?.includes('0.1.1'))
  })

  for (const { name, bytes, isValid } of withoutRealCertificates === false
    ? realCertificates().filter(({ isInPack }) => isInPack)
    : []) {
    test(`${name} is ${isValid ? 'valid and renders as HTML and as PDF' : 'refused, and named why'}`, async () => {
      const body = new Uint8Array(bytes)
      const validated = await post('validate', body)
      if (!isValid) {
        const { details } = (await validated.json()) as { details: string[] }
        assert.equal(validated.status, name.includes('schema_type') ? 404 : 400)
        assert.ok(details.length > 0 && details.every((line) => line.startsWith('/')), details.join('\n'))
        return
      }
      assert.equal(validated.status, 200, await validated.clone().text())
      assert.deepEqual(await validated.json(), JSON.parse(bytes.toString('utf8')))
      const html = await post('render?type=html', body)
      assert.equal(html.status, 200)
      assert.match(html.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
      assert.match(await html.text(), /^<!doctype html>/)
      const pdf = await post('render?type=pdf', body)
      assert.equal(pdf.status, 200, await pdf.clone().text())
      assert.equal(
        Buffer.from(await pdf.arrayBuffer())
          .subarray(0, 5)
          .toString(),
        '%PDF-',
      )
      assert.equal(pdf.headers.get('render-warnings') !== null, name.includes('malformed_logo'))
    })
  }
})
