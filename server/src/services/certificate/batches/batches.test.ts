import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Identity, limits, type Notarization, type Verification } from '@millseal/contract'
import { type JsonValue, readPolicy, verifyBundle } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { eventually } from '../../../../test/eventually.ts'
import { filesOf, zipOf } from '@millseal/families/testing/archives'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'

type Line = {
  readonly item: number
  readonly name?: string
  readonly status: number
  readonly code?: string
  readonly answer?: Notarization & Verification & { readonly bundle?: unknown }
  readonly error?: { readonly details: readonly string[]; readonly path: string }
  readonly end?: true
  readonly items?: number
  readonly failed?: number
}

let server: TestServer
let mill: Owner
let identity: Identity
before(async () => {
  server = await startTestServer()
  mill = await newOwner(server, server.nameOf('batch-mill'))
  identity = await newIdentity(server.client(mill.admin.accessToken), mill.company.id)
})
after(() => server[Symbol.asyncDispose]())

type Sent = { readonly type?: string; readonly token?: string; readonly query?: string }

const ndjson = 'application/x-ndjson'

const send = (path: string, body: string | Buffer, { type = ndjson, token, query = '' }: Sent = {}) =>
  fetch(`${server.url}/api/certificates/${path}?mode=test${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token ?? mill.admin.accessToken}`,
      company: mill.company.id,
      'content-type': type,
    },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })

const linesOf = async (response: Response): Promise<Line[]> => {
  assert.equal(response.status, 200, await response.clone().text())
  assert.equal(response.headers.get('content-type'), ndjson)
  const text = await response.text()
  assert.ok(text.endsWith('\n'))
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const notarize = async (body: string | Buffer, sent: Sent = {}): Promise<Line[]> =>
  linesOf(
    await send('notarize-many', body, { ...sent, query: `&identity=${identity.id}${sent.query ?? ''}` }),
  )

const verify = async (body: string | Buffer, sent: Sent = {}): Promise<Line[]> =>
  linesOf(await send('verify-many', body, sent))

const refusal = async (response: Response): Promise<string> => {
  const { details } = (await response.json()) as { details: readonly string[] }
  return `${response.status} ${details.join('; ')}`
}

const written = (count: number): string[] =>
  Array.from({ length: count }, () => JSON.stringify(sampleCertificate()))

describe('a batch of certificates', () => {
  test('is answered line by line in its order, each as if it had been sent alone', async () => {
    const [good = '', other = ''] = written(2)
    const wrong = JSON.stringify({ ...sampleCertificate(), Certificate: {} })
    const lines = await notarize([good, '{', '', wrong, `  ${other}\r`].join('\n'))
    assert.deepEqual(
      lines.map(({ item, status, code, end }) => [item, status, code, end]),
      [
        [1, 201, undefined, undefined],
        [2, 400, 'malformed_json', undefined],
        [3, 400, 'certificate_invalid', undefined],
        [4, 201, undefined, undefined],
        [undefined, undefined, undefined, true],
      ],
    )
    assert.deepEqual(lines.at(-1), { end: true, items: 4, failed: 2 })
    const alone = await send('notarize', wrong, {
      type: 'application/json',
      query: `&identity=${identity.id}`,
    })
    const { timestamp: _now, path: _path, ...expected } = (await alone.json()) as Record<string, unknown>
    const { timestamp: _then, path, ...error } = { ...(lines[2]?.error as object) } as Record<string, unknown>
    assert.deepEqual(error, expected)
    assert.equal(path, '/certificates/notarize-many')
  })

  test('notarizes nothing twice when it is sent again after it was cut off', async () => {
    const texts = written(30)
    const cut = new AbortController()
    const first = await fetch(
      `${server.url}/api/certificates/notarize-many?mode=test&identity=${identity.id}`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${mill.admin.accessToken}`,
          company: mill.company.id,
          'content-type': ndjson,
        },
        body: texts.join('\n'),
        signal: cut.signal,
      },
    )
    await first.body?.getReader().read()
    cut.abort()
    const again = await notarize(texts.join('\n'))
    assert.deepEqual(again.at(-1), { end: true, items: 30, failed: 0 })
    const once = await notarize(texts.join('\n'))
    const hashes = again.slice(0, -1).map(({ answer }) => answer?.hash.value)
    assert.equal(new Set(hashes).size, 30)
    for (const hash of hashes) {
      const query = { mode: 'test', hash } as const
      const found = await server
        .client(mill.admin.accessToken)
        .listCertificates({ company: mill.company.id, query })
      assert.equal(found.length, 1)
    }
    assert.deepEqual(
      once.slice(0, -1).map(({ answer }) => answer?.hash.value),
      hashes,
    )
  })

  test('can be a zip archive, whose files are named, and whose hidden files are nobody’s certificates', async () => {
    const [good = ''] = written(1)
    const large = JSON.stringify({ text: 'x'.repeat(limits.body.certificateBytes) })
    const archive = zipOf([
      ...filesOf({ 'truck/4711.json': good, 'truck/notes.txt': 'Hello', '__MACOSX/4711.json': '{}' }),
      ...filesOf({ 'truck/.DS_Store': 'x', 'truck/large.json': large }),
      { path: 'truck/encrypted.json', content: good, flags: 0x801 },
    ])
    const lines = await notarize(archive, { type: 'application/zip' })
    assert.deepEqual(
      lines.map(({ name, status, code }) => [name, status, code]),
      [
        ['truck/4711.json', 201, undefined],
        ['truck/notes.txt', 400, 'malformed_json'],
        ['truck/large.json', 413, 'body_too_large'],
        ['truck/encrypted.json', 400, 'malformed_request'],
        [undefined, undefined, undefined],
      ],
    )
    assert.match(lines[3]?.error?.details.join() ?? '', /damaged/)
  })

  test('is verified as each file alone, whatever it is', async () => {
    const [good = ''] = written(1)
    await notarize(good)
    const altered = good.replace('0.17', '0.19')
    const archive = zipOf(filesOf({ 'good.json': good, 'altered.json': altered, 'none.pdf': '%PDF-1.7' }))
    const lines = await verify(archive, { type: 'application/zip' })
    assert.deepEqual(
      lines.map(({ name, status }) => [name, status]),
      [
        ['good.json', 200],
        ['altered.json', 200],
        ['none.pdf', 200],
        [undefined, undefined],
      ],
    )
    const client = server.client()
    for (const [at, text] of [good, altered].entries()) {
      const document = new Blob([text], { type: 'application/json' })
      assert.deepEqual(
        lines[at]?.answer,
        await client.verifyCertificate({ query: { mode: 'test' }, document }),
      )
    }
    assert.equal(lines[1]?.answer?.isValid, false)
  })

  test('has its proof bundles in one answer', async () => {
    const texts = written(2)
    const accepted = await notarize(texts.join('\n'))
    const client = server.client(mill.admin.accessToken)
    const ids = accepted.flatMap(({ answer }) => answer?.jobId ?? [])
    await eventually(async () => {
      const read = (id: string) => client.readCertificate({ company: mill.company.id, params: { id } })
      const states = await Promise.all(ids.map(async (id) => (await read(id)).state))
      return states.every((state) => state === 'notarized')
    })
    const hashes = accepted.flatMap(({ answer }) => answer?.hash.value ?? [])
    const unknown = '0'.repeat(64)
    const ask = (given: readonly string[]) =>
      fetch(`${server.url}/api/certificates/proofs?mode=test&format=3`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ hashes: given }),
      })
    const lines = await linesOf(await ask([...hashes, unknown]))
    assert.deepEqual(
      lines.map(({ name, status, end }) => [name, status, end]),
      [
        ...hashes.map((hash) => [hash, 200, undefined]),
        [unknown, 404, undefined],
        [undefined, undefined, true],
      ],
    )
    const vkey = (await (await fetch(`${server.url}/ledger/test/vkey`)).text()).trim()
    const policy = readPolicy({ logs: [vkey] }, nodePrimitives)
    for (const [at, hash] of hashes.entries()) {
      const bundle = lines[at]?.answer?.bundle as JsonValue
      const file = { kind: 'json', hash } as const
      const { answers } = verifyBundle(
        { file, bundle, policy, now: new Date(server.clock.now()) },
        nodePrimitives,
      )
      assert.equal(answers.unchanged, 'yes')
    }
    assert.match(await refusal(await ask([])), /^400 .*fewer than 1 items/)
    assert.match(
      await refusal(await ask(Array(limits.proofs + 1).fill(unknown))),
      /^400 .*more than 100 items/,
    )
    assert.match(await refusal(await ask(['zz'])), /^400 .*hashes\/0/)
  })

  test('is refused as a whole if it is not one', async () => {
    const query = `&identity=${identity.id}`
    const many = '1\n'.repeat(limits.batchItems + 1)
    assert.match(await refusal(await send('notarize-many', '\n \n', { query })), /^400 .*fewer than 1 items/)
    assert.match(await refusal(await send('notarize-many', many, { query })), /^400 .*more than 10000 items/)
    assert.match(
      await refusal(await send('notarize-many', 'no zip', { query, type: 'application/zip' })),
      /^400 .*not a zip archive/,
    )
    assert.match(
      await refusal(await send('notarize-many', '{}', { query, type: 'application/json' })),
      /^415 Send application\/x-ndjson or application\/zip/,
    )
    assert.match(await refusal(await send('notarize-many', '{}')), /^400 .*identity/)
    const bomb = zipOf([{ path: 'a.json', content: '{}', claimedBytes: 300 * 1024 * 1024 }])
    assert.match(
      await refusal(await send('verify-many', bomb, { type: 'application/zip' })),
      /^400 .*268435456 bytes when it is unpacked/,
    )
  })

  test('needs a scope of its own or that of one certificate', async () => {
    const scopes = { certificates: { actions: ['read_many'] } } as const
    for (const [path, action] of [
      ['notarize-many', 'notarize'],
      ['verify-many', 'validate'],
    ] as const) {
      const query = `&identity=${identity.id}`
      const reader = await tokenOf(
        server,
        await newApplication(server, mill, {
          scopes: { certificates: { actions: [...scopes.certificates.actions] } },
        }),
      )
      const refused = await send(path, written(1).join(), { token: reader, query })
      assert.match(
        await refusal(refused),
        new RegExp(`^403 .*certificates:${action}_many or certificates:${action}_one`),
      )
      for (const one of [`${action}_one`, `${action}_many`] as const) {
        const actions = [one] as ('notarize_one' | 'notarize_many' | 'validate_one' | 'validate_many')[]
        const token = await tokenOf(
          server,
          await newApplication(server, mill, { scopes: { certificates: { actions } } }),
        )
        assert.equal((await linesOf(await send(path, written(1).join(), { token, query }))).at(-1)?.failed, 0)
      }
    }
  })
})
