import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { WebSocket } from 'ws'
import { serveLedger, type ServedLedger } from '../../../../test/ledger-face.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { generousDeadline } from '../../../../test/eventually.ts'

let served: ServedLedger
before(async () => {
  served = await serveLedger()
})
after(() => served[Symbol.asyncDispose]())

const signer = makeLedgerSigner()
/** Returns the body without the line feed at its end. */
const readBody = async (response: Response): Promise<string> => {
  const text = await response.text()
  assert.equal(text.at(-1), '\n', text)
  return text.slice(0, -1)
}
const get = async (path: string) => {
  const response = await fetch(`${served.url}${path}`)
  return { status: response.status, phrase: response.statusText, text: await readBody(response) }
}
const post = async (body: string, { query = '', path = served.url } = {}) => {
  const response = await fetch(`${path}/api/v1/transactions${query}`, { method: 'POST', body })
  return { status: response.status, phrase: response.statusText, text: await readBody(response) }
}
const missing = 'Missing required parameter in the JSON body or the post body or the query string'

describe('the BigchainDB API of a ledger', () => {
  test('lists its resources at its root and at /api/v1, with or without a slash', async () => {
    const index = (prefix: string) => ({
      assets: `${prefix}assets/`,
      blocks: `${prefix}blocks/`,
      docs: `${served.origin}/docs`,
      metadata: `${prefix}metadata/`,
      outputs: `${prefix}outputs/`,
      streams: `${served.url.replace('http', 'ws')}/api/v1/streams/valid_transactions`,
      transactions: `${prefix}transactions/`,
      validators: `${prefix}validators`,
    })
    for (const path of ['', '/'])
      assert.deepEqual(JSON.parse((await get(path)).text), {
        api: { v1: index('/ledger/test/api/v1/') },
        docs: `${served.origin}/docs`,
        software: 'BigchainDB',
        version: '2.2.2',
      })
    for (const path of ['/api/v1', '/api/v1/'])
      assert.deepEqual(JSON.parse((await get(path)).text), index('/'))
  })

  test('answers errors as BigchainDB does: same text, sorted keys, reason phrase in capitals', async () => {
    const bare = (message: unknown) => JSON.stringify({ message })
    const key = signer.publicKey
    const id = 'a'.repeat(64)
    const cases: readonly [string, number, string][] = [
      [`/api/v1/transactions/${id}`, 404, '{"message":"Not found","status":404}'],
      ['/api/v1/transactions/nothing', 404, '{"message":"Not found","status":404}'],
      ['/api/v1/blocks/999999', 404, '{"message":"Not found","status":404}'],
      ['/api/v1/blocks/abc', 404, '{"message":"Not found","status":404}'],
      ['/api/v1/nothing', 404, '{"message":"Not found","status":404}'],
      ['/api/v1/transactions', 400, bare({ asset_id: missing })],
      ['/api/v1/transactions?asset_id=x', 400, bare({ asset_id: 'Invalid hash' })],
      [
        `/api/v1/transactions?asset_id=${id}&operation=GENESIS`,
        400,
        bare({ operation: 'Operation must be "CREATE" or "TRANSFER"' }),
      ],
      [
        `/api/v1/transactions?asset_id=${id}&last_tx=x`,
        400,
        bare({ last_tx: 'Boolean value must be "true" or "false" (lowercase)' }),
      ],
      ['/api/v1/outputs', 400, bare({ public_key: missing })],
      ['/api/v1/outputs?public_key=abc', 400, bare({ public_key: 'Invalid base58 ed25519 key' })],
      [
        `/api/v1/outputs?public_key=${key}&spent=maybe`,
        400,
        bare({ spent: 'Boolean value must be "true" or "false" (lowercase)' }),
      ],
      [`/api/v1/outputs?public_key=${key}&x=1`, 400, bare('Unknown arguments: x')],
      ['/api/v1/blocks', 400, bare({ transaction_id: missing })],
      [`/api/v1/blocks?transaction_id=${id}&status=1`, 400, bare('Unknown arguments: status')],
      ['/api/v1/assets', 400, bare({ search: missing })],
      ['/api/v1/assets?search=', 400, '{"message":"text_search cannot be empty","status":400}'],
      [
        '/api/v1/assets?search=a&limit=b',
        400,
        bare({ limit: "invalid literal for int() with base 10: 'b'" }),
      ],
    ]
    for (const [path, status, text] of cases)
      assert.deepEqual(
        await get(path),
        { status, phrase: status === 404 ? 'NOT FOUND' : 'BAD REQUEST', text },
        path,
      )
    for (const path of [
      `/api/v1/outputs?public_key=${key}&spent=TRUE`,
      `/api/v1/blocks?transaction_id=${id}`,
    ])
      assert.deepEqual(await get(path), { status: 200, phrase: 'OK', text: '[]' })
  })

  test('accepts a transaction once and returns it, in every mode', async () => {
    for (const query of ['', '?mode=async', '?mode=sync', '?mode=commit']) {
      const transaction = signer.create({ query: `mode ${query}` })
      const answer = await post(JSON.stringify(transaction), { query })
      assert.equal(answer.status, 202)
      assert.equal(answer.phrase, 'ACCEPTED')
      assert.deepEqual(JSON.parse(answer.text), transaction)
      assert.deepEqual(JSON.parse((await get(`/api/v1/transactions/${transaction.id}/`)).text), transaction)
      assert.deepEqual(await post(JSON.stringify(transaction), { query }), {
        status: 400,
        phrase: 'BAD REQUEST',
        text: `{"message":"Invalid transaction (DuplicateTransaction): transaction \`${transaction.id}\` already exists","status":400}`,
      })
    }
  })

  test('accepts a certificate once, even if another key signs the transaction', async () => {
    const asset = certificateAsset()
    const first = signer.create(asset)
    assert.equal((await post(JSON.stringify(first))).status, 202)
    const { status, text } = await post(JSON.stringify(makeLedgerSigner().create(asset)))
    assert.equal(status, 400)
    assert.match(text, new RegExp(`DuplicateTransaction.*${first.id}`))
  })

  test('rejects an invalid transaction with the reason', async () => {
    const transaction = signer.create({ a: 1 })
    const message = async (body: unknown, options = {}) => {
      const { status, text } = await post(typeof body === 'string' ? body : JSON.stringify(body), options)
      assert.equal(status, 400)
      return JSON.parse(text).message as string
    }
    for (const query of ['?mode=later', '?mode=sync&mode=later'])
      assert.deepEqual(await message(transaction, { query }), {
        mode: 'Mode must be "async", "sync" or "commit"',
      })
    assert.match(await message('{'), /^Failed to decode JSON object: /)
    assert.match(await message(''), /^Failed to decode JSON object/)
    assert.match(await message('{"a":1,"a":2}'), /Duplicate key/)
    assert.match(await message('[]'), /^Invalid transaction schema: /)
    assert.match(
      await message({ ...transaction, id: undefined }),
      /^Invalid transaction \(InvalidHash\): No transaction id/,
    )
    assert.match(
      await message({ ...transaction, metadata: { a: 2 } }),
      /InvalidHash.*isn't equal to the hash of its body/,
    )
    assert.match(await message(JSON.stringify(transaction).replace('"a":1', '"a":1.5')), /safe integer/)
    const unknown = makeLedgerSigner()
    const never = unknown.transfer(unknown.create({ never: 'sent' }), signer.publicKey)
    assert.match(
      await message(never),
      /^Invalid transaction \(InputDoesNotExist\): input `[0-9a-f]{64}` doesn't exist$/,
    )
  })

  test('rejects a double spend with the reason', async () => {
    const create = signer.create({ spent: 'twice' })
    const [first, second] = ['a', 'b'].map(() => signer.transfer(create, makeLedgerSigner().publicKey))
    await post(JSON.stringify(create))
    assert.equal((await post(JSON.stringify(first))).status, 202)
    assert.deepEqual(await post(JSON.stringify(second)), {
      status: 400,
      phrase: 'BAD REQUEST',
      text: `{"message":"Invalid transaction (DoubleSpend): input \`${create.id}\` was already spent","status":400}`,
    })
  })

  test('rejects a body above 64 KiB before reading all of it, and unknown methods', async () => {
    assert.equal((await post('x'.repeat(64 * 1024 + 1))).status, 413)
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(`${served.url}/api/v1/transactions/`, { method })
      assert.equal(response.status, 405)
      assert.equal(response.statusText, 'METHOD NOT ALLOWED')
      assert.equal(response.headers.get('allow'), 'GET, HEAD, POST')
      assert.deepEqual(await response.json(), {
        message: 'The method is not allowed for the requested URL.',
      })
      for (const path of ['nothing', ':a(', '*', `transactions/${'a'.repeat(64)}`])
        assert.equal((await fetch(`${served.url}/api/v1/${path}`, { method })).status, 404, path)
    }
  })

  test('allows pages of any origin, with any header', async () => {
    const response = await fetch(`${served.url}/api/v1/validators`)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    const preflight = await fetch(`${served.url}/api/v1/transactions`, { method: 'OPTIONS' })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers.get('access-control-allow-headers'), '*')
    const [validator] = JSON.parse((await get('/api/v1/validators')).text)
    assert.equal(validator.public_key.type, 'ed25519-base64')
    assert.equal(Buffer.from(validator.public_key.value, 'base64').length, 32)
    assert.equal(validator.voting_power, 1)
  })

  test('rejects writes and allows reads if the ledger is not open', async () => {
    const closed = `${served.origin}/ledger/live`
    assert.deepEqual(await post(JSON.stringify(signer.create({ a: 2 })), { path: closed }), {
      status: 403,
      phrase: 'FORBIDDEN',
      text: '{"message":"This ledger accepts transactions only from its own service","status":403}',
    })
    assert.equal((await fetch(`${closed}/api/v1/validators`)).status, 200)
  })

  test('limits the number of calls', async () => {
    await using limited = await serveLedger({ callsPerMinute: 10 })
    let answer: Response
    let calls = 0
    do {
      answer = await fetch(`${limited.url}/api/v1/transactions`, { method: 'POST', body: '{}' })
      await answer.clone().text()
      calls += 1
    } while (answer.status === 400 && calls < 100)
    assert.equal(calls, 61)
    assert.equal(answer.status, 429)
    assert.equal(answer.statusText, 'TOO MANY REQUESTS')
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    assert.equal(JSON.parse(await answer.text()).status, 429)
  })
})

describe('the stream of a ledger', () => {
  const open = async (path = '/api/v1/streams/valid_transactions') => {
    const socket = new WebSocket(`${served.url.replace('http', 'ws')}${path}`)
    await once(socket, 'open', { signal: generousDeadline() })
    return socket
  }

  test('sends each accepted transaction to every client, and ignores their messages', async () => {
    const listeners = await Promise.all([open(), open(), open('/api/v1/streams/valid_transactions/')])
    const heard = listeners.map((socket) => once(socket, 'message', { signal: generousDeadline() }))
    for (const socket of listeners) socket.send('{"subscribe":"everything"}')
    const transaction = signer.create({ streamed: 'yes' })
    await post(JSON.stringify(transaction))
    const entry = await served.ledger.find(transaction.id)
    for (const [data] of await Promise.all(heard))
      assert.deepEqual(JSON.parse(String(data)), {
        height: entry?.height,
        asset_id: transaction.id,
        transaction_id: transaction.id,
      })
    for (const socket of listeners) socket.terminate()
  })

  test('disconnects a client that sends a large message', async () => {
    const socket = await open()
    const closed = once(socket, 'close', { signal: generousDeadline() })
    socket.send('x'.repeat(2_000))
    const [code] = await closed
    assert.equal(code, 1009)
  })

  test('is the only WebSocket: an upgrade of another path is answered with 404', async () => {
    const asking = httpRequest(`${served.url}/api/v1/streams/other`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    })
    asking.end()
    const [response] = await once(asking, 'response', { signal: generousDeadline() })
    assert.equal(response.statusCode, 404)
    response.resume()
  })

  test('does not keep a server from closing', async () => {
    const other = await serveLedger()
    const socket = new WebSocket(`${other.url.replace('http', 'ws')}/api/v1/streams/valid_transactions`)
    await once(socket, 'open', { signal: generousDeadline() })
    const closed = once(socket, 'close', { signal: generousDeadline() })
    await other[Symbol.asyncDispose]()
    await closed
  })
})
