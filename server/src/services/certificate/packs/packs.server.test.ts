import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { because } from '@millseal/contract/reasons'
import { limits } from '@millseal/contract'
import { filesOf, tarGzOf, zipOf } from '@millseal/families/testing/archives'
import { eventually } from '../../../../test/eventually.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { signUpOperator } from '../../../../test/people.ts'
import { addressOf, startOwnServer, type TestServer } from '../../../../test/test-server.ts'

let stack: AsyncDisposableStack
let server: TestServer
let database: Awaited<ReturnType<typeof openTestDatabase>>
let operator: string
let mill: Owner
before(async () => {
  stack = new AsyncDisposableStack()
  database = stack.use(await openTestDatabase())
  server = stack.use(await startOwnServer({ databaseUrl: addressOf(database) }))
  operator = (await signUpOperator(server)).accessToken
  mill = await newOwner(server, 'pack-mill')
})
after(() => stack.disposeAsync())

const $schema = 'http://json-schema.org/draft-07/schema#'
const idOf = (version: string) => `https://example.org/valve-schemas/v${version}/schema.json`
const repository = (versions: readonly string[], rest: Readonly<Record<string, string>> = {}) =>
  filesOf({
    ...Object.fromEntries(
      versions.map((version) => [
        `repository/Valve/v${version}/schema.json`,
        JSON.stringify({ $schema, $id: idOf(version), type: 'object' }),
      ]),
    ),
    ...rest,
  })

const packs = (
  init: RequestInit & { readonly path?: string; readonly token?: string },
): Promise<Response> => {
  const { path = '', token = operator, headers, ...rest } = init
  return fetch(`${server.url}/api/certificates/packs${path}`, {
    ...rest,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
}

const upload = (archive: Buffer, type = 'application/zip', token?: string): Promise<Response> =>
  packs({
    method: 'POST',
    headers: { 'content-type': type },
    body: new Uint8Array(archive),
    ...(token === undefined ? {} : { token }),
  })

type Failure = { details: string[]; message: string }

const validateStatus = async (version: string): Promise<number> => {
  const response = await fetch(`${server.url}/api/certificates/validate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mill.admin.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ RefSchemaUrl: idOf(version) }),
  })
  return response.status
}

describe('packs of schemas', () => {
  test('are uploaded, used at once, listed and removed by an operator, and audited', async () => {
    const broken = { 'repository/Valve/v9.0.0/schema.json': '{' }
    const client = server.client(operator)
    const archive = new Uint8Array(zipOf(repository(['1.0.0', '1.1.0'], broken)))
    const document = new Blob([archive], { type: 'application/zip' })
    const { name, schemas, refused } = await client.importPack({ document })
    assert.deepEqual(
      schemas.map(({ id }) => id),
      [idOf('1.0.0'), idOf('1.1.0')],
    )
    assert.deepEqual(refused, [
      {
        file: 'repository/Valve/v9.0.0/schema.json',
        reasons: ['must be JSON in UTF-8'],
        because: [because('file_not_json')],
      },
    ])
    await eventually(async () => (await validateStatus('1.1.0')) === 200)

    const form = new FormData()
    form.set('file', new File([new Uint8Array(tarGzOf(repository(['1.0.0', '1.1.0'])))], 'r.tgz'))
    const again = await packs({ method: 'POST', body: form })
    assert.equal(again.status, 201, await again.clone().text())
    assert.deepEqual(
      (await client.listPacks()).map((pack) => pack.name),
      [name],
    )

    assert.equal(await client.removePack({ params: { name } }), name)
    await eventually(async () => (await validateStatus('1.1.0')) === 404)
    assert.deepEqual(await client.listPacks(), [])
    assert.equal((await packs({ method: 'DELETE', path: `/${name}` })).status, 404)

    const entries = await database.query
      .selectFrom('auditLog')
      .select(['action', 'subject'])
      .where('action', 'like', 'packs.%')
      .orderBy('id')
      .execute()
    const subject = `pack:${name}`
    const wanted = ['packs.import', 'packs.import', 'packs.remove'].map((action) => ({ action, subject }))
    assert.deepEqual(entries, wanted)
  })

  test('are refused with the file and the reason', async () => {
    const cases: readonly (readonly [Buffer, RegExp])[] = [
      [zipOf(filesOf({ 'Valve/v1.0.0/schema.json': '{' })), /^Valve\/v1\.0\.0\/schema\.json: must be JSON/],
      [zipOf(filesOf({ '../schema.json': '{}' })), /^"\.\.\/schema\.json" is not a path within it/],
      [zipOf(filesOf({ 'readme.md': '' })), /contains no schema\.json/],
      [Buffer.from('no archive at all'), /neither a zip nor a gzipped tar archive/],
    ]
    for (const [archive, reason] of cases) {
      const response = await upload(archive)
      assert.equal(response.status, 400)
      const { details } = (await response.json()) as Failure
      assert.match(details[0] ?? '', reason)
    }
    assert.equal((await upload(Buffer.from('{}'), 'application/json')).status, 415)
    for (const name of ['pack-x', '..%2F..', 'pack-0123456789abcdef0']) {
      assert.equal((await packs({ method: 'DELETE', path: `/${name}` })).status, 400, name)
    }
  })

  test('are for operators only, and others cannot send large bodies', async () => {
    const large = Buffer.alloc(2 * limits.body.certificateBytes)
    assert.equal((await upload(large)).status, 400)
    const tooLarge = await upload(Buffer.alloc(limits.body.archiveBytes + 1))
    assert.equal(tooLarge.status, 413)
    assert.match(await tooLarge.text(), /"At most 33554432 bytes"/)
    assert.equal((await upload(large, 'application/zip', mill.admin.accessToken)).status, 403)
    assert.equal((await upload(large, 'text/plain', mill.admin.accessToken)).status, 403)
    assert.equal((await packs({ token: mill.admin.accessToken })).status, 403)
    const path = '/pack-0123456789abcdef'
    assert.equal((await packs({ method: 'DELETE', path, token: mill.admin.accessToken })).status, 403)
  })
})
