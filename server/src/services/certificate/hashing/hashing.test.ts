import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { hashAlgorithms, hashEncodings } from '@millseal/contract'
import { canonicalJson } from '@millseal/proof'
import type { Client } from '@millseal/sdk'
import { newOwner } from '../../../../test/machines.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { hash } from './hash.ts'

let server: TestServer
let client: Client
before(async () => {
  server = await startTestServer()
  const { admin } = await newOwner(server, 'hashing-mill')
  client = server.client(admin.accessToken)
})
after(() => server[Symbol.asyncDispose]())

const source = { b: [1.0, 'ä'], a: { d: null, c: true } }
const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')

type Upload = { readonly type?: string; readonly fields?: Readonly<Record<string, string>> }
const hashFile = (content: string, { type = 'application/json', fields }: Upload = {}) =>
  client.hashFile({ document: new File([content], 'file', { type }), fields })

describe('hashing', () => {
  test('uses SHA-256 and hex by default', () => {
    assert.deepEqual(hash('a'), { algorithm: 'sha256', encoding: 'hex', value: sha256('a') })
  })

  test('hashes an object over its canonical form, by every algorithm and encoding', async () => {
    for (const algorithm of hashAlgorithms) {
      for (const encoding of hashEncodings) {
        const value = createHash(algorithm).update(canonicalJson(source)).digest(encoding)
        assert.deepEqual(await client.hashCertificate({ body: { source, algorithm, encoding } }), {
          algorithm,
          encoding,
          value,
        })
        const fields = { algorithm, encoding }
        assert.deepEqual(await hashFile(JSON.stringify(source, null, 2), { fields }), {
          algorithm,
          encoding,
          value,
        })
      }
    }
  })

  test('hashes a CSV file over its bytes, whether the type of the file or a field says so', async () => {
    const csv = 'heat;C\r\n4711;0,17\r\n'
    assert.equal((await hashFile(csv, { type: 'text/csv' })).value, sha256(csv))
    assert.equal((await hashFile(csv, { fields: { contentType: 'csv' } })).value, sha256(csv))
  })

  test('lets the field decide if file type and field differ', async () => {
    const json = '{"b":1, "a":2}'
    const { value } = await hashFile(json, { type: 'text/csv', fields: { contentType: 'json' } })
    assert.equal(value, sha256('{"a":2,"b":1}'))
  })

  test('takes an empty field as one that was left out', async () => {
    const { algorithm, encoding } = await hashFile('{}', {
      fields: { algorithm: '', encoding: '', contentType: '' },
    })
    assert.deepEqual({ algorithm, encoding }, { algorithm: 'sha256', encoding: 'hex' })
  })

  test('rejects an unknown value of a field and lists the known ones', async () => {
    for (const [name, known] of [
      ['algorithm', 'sha256'],
      ['encoding', 'hex'],
      ['contentType', 'json, csv'],
    ] as const) {
      const refused = hashFile('{}', { fields: { [name]: 'rot13' } })
      await assertRefused(refused, 'validation_failed')
      const { answer } = await refusal(refused)
      assert.match(answer?.details.join() ?? '', new RegExp(`^/${name} must be one of .*${known}`))
    }
  })

  test('rejects a file that is not JSON', async () => {
    await assertRefused(hashFile('heat;C'), 'malformed_json')
    await assertRefused(hashFile('{"a":1,"a":2}'), 'malformed_json')
  })
})
