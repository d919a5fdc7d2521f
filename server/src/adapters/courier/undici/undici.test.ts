import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import {
  answer,
  bomb,
  close,
  drip,
  hang,
  type Reaction,
  type Receiver,
  reset,
  startReceiver,
} from '../../../../test/receiver.ts'
import { NotDelivered, type Parcel, type Receipt } from '../../../ports/courier/courier.ts'
import { makeSelfSigned } from '../../broker/aedes/self-signed.ts'
import { createUndiciCourier, type UndiciCourierOptions } from './undici.ts'
import { generousMs } from '../../../../test/eventually.ts'
import { undisturbed } from '../../../../test/undisturbed.ts'

const quick = { headersMs: 300, totalMs: 500 }
const generous = { headersMs: generousMs, totalMs: generousMs }
const local = ['127.0.0.0/8']

const send = async (
  url: string,
  { parcel = {}, ...options }: Partial<UndiciCourierOptions> & { parcel?: Partial<Parcel> } = {},
): Promise<Receipt> => {
  await using courier = createUndiciCourier({ allow: [], deadlines: generous, ...options })
  const { signal } = new AbortController()
  return await courier.post({
    url,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{}'),
    verifyCertificate: true,
    signal,
    ...parcel,
  })
}

const refusalOf = async (sent: Promise<Receipt>): Promise<string> => {
  const error = await sent.then(
    ({ status }) => new Error(`answered ${status}`),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof NotDelivered, String(error))
  return error.message
}

/** Loopback in every notation of a URL, and other internal addresses. `PORT` is replaced by an open port. */
const internalUrls = [
  'http://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.0.0.1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://017700000001:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://0.0.0.0:PORT/',
  'http://[::1]:PORT/',
  'http://[::]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST.:PORT/',
  'http://user:pass@127.0.0.1:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://168.63.129.16/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
] as const

describe('the courier does not connect to internal addresses', () => {
  test(`by any of ${internalUrls.length} URLs, over IPv4 and IPv6`, async () => {
    const six = createServer((socket) => socket.destroy())
    let inside = 0
    six.on('connection', () => {
      inside += 1
    })
    six.listen(0)
    await once(six, 'listening')
    const address = six.address()
    const port = String(address === null || typeof address === 'string' ? 0 : address.port)
    for (const form of internalUrls) {
      const url = form.replace('PORT', port)
      assert.match(await refusalOf(send(url)), /public|Internet|user name/, form)
    }
    assert.equal(inside, 0)
    six.close()
  })

  test('by a name that resolves to one, over IPv4 and IPv6', async () => {
    await using receiver = await startReceiver()
    const url = `http://rebound.example:${receiver.port}/`
    for (const address of [
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      'nonsense',
    ]) {
      const message = await refusalOf(send(url, { resolve: async () => [address] }))
      assert.equal(message, 'The target is not a public address')
      assert.doesNotMatch(message, /\d/)
    }
    assert.equal(
      await refusalOf(send(url, { resolve: async () => [] })),
      'The host name does not exist or has no address',
    )
    assert.equal(receiver.connections(), 0)
  })

  test('by a name that resolves differently after the check: it is resolved once per connection', async () => {
    await using checked = await startReceiver()
    let asked = 0
    const resolve = async (): Promise<readonly string[]> => {
      asked += 1
      return [asked === 1 ? '127.0.0.1' : '127.0.0.2']
    }
    const url = `http://rebound.example:${checked.port}/`
    assert.equal((await send(url, { resolve, allow: ['127.0.0.1/32'] })).status, 200)
    assert.equal(asked, 1)
    assert.match(await refusalOf(send(url, { resolve, allow: ['127.0.0.1/32'] })), /public/)
    assert.deepEqual([asked, checked.connections()], [2, 1])
  })

  test('by a redirect: it is not followed', async () => {
    await using inside = await startReceiver()
    await using receiver = await startReceiver({ reaction: answer(302, { location: inside.url }) })
    const { status } = await send(receiver.url, { allow: [`127.0.0.1:${receiver.port}`] })
    assert.equal(status, 302)
    assert.equal(inside.connections(), 0)
  })

  test('by another scheme, or a port of another service', async () => {
    for (const url of [
      'ftp://example.com/',
      'file:///etc/passwd',
      'https://example.com:22/',
      'http://example.com:25/',
    ])
      assert.match(await refusalOf(send(url)), /must/)
  })
})

describe('a target that the operator named', () => {
  const reached = async (receiver: Receiver, options: Partial<UndiciCourierOptions>, url = receiver.url) =>
    (await send(url, options)).status

  test('is reached if its network, its host, or its host and port were named, and no other target is', async () => {
    await using receiver = await startReceiver()
    const { port } = receiver
    assert.equal(await reached(receiver, { allow: local }), 200)
    assert.equal(await reached(receiver, { allow: [`127.0.0.1:${port}`] }), 200)
    const named = { allow: [`erp.local:${port}`], resolve: async () => ['127.0.0.1'] }
    assert.equal(await reached(receiver, named, `http://ERP.local:${port}/`), 200)
    await refusalOf(send(receiver.url, { allow: [`127.0.0.1:${port + 1}`, '10.0.0.0/8', '::/0'] }))
    await refusalOf(send(`http://mes.local:${port}/`, named))
  })

  test('has its name checked by TLS even though we connect by address; enableSSL=false disables only this check', async () => {
    const { key, certificate: cert } = makeSelfSigned(['127.0.0.1'], new Date())
    await using receiver = await startReceiver({ tls: { key, cert } })
    const options = { allow: local }
    assert.match(await refusalOf(send(receiver.url, options)), /TLS certificate.*SELF_SIGNED/)
    const parcel = { verifyCertificate: false }
    assert.equal((await send(receiver.url, { ...options, parcel })).status, 200)
    assert.match(await refusalOf(send(receiver.url, { parcel })), /Internet/)
  })
})

describe('a receiver that does not behave', () => {
  const meeting = async (reaction: Reaction, deadlines = generous): Promise<Receipt | string> => {
    await using receiver = await startReceiver({ reaction })
    return await send(receiver.url, { allow: local, deadlines }).catch((error: unknown) => {
      assert.ok(error instanceof NotDelivered)
      return error.message
    })
  }

  test('is aborted at the deadlines: no answer, and an answer that never ends', async () => {
    // Without a deadline neither would ever end.
    assert.equal(await undisturbed(() => meeting(hang, quick)), 'No answer within 0.3 s')
    const dripping = await undisturbed(() => meeting(drip, quick))
    assert.ok(typeof dripping === 'object' && dripping.status === 200)
  })

  test('has 16 kB of its answer read without decompression and without growing memory', async () => {
    const before = process.memoryUsage().rss
    const outcome = await meeting(bomb)
    assert.ok(typeof outcome === 'object')
    assert.equal(outcome.answer.length, 16 * 1_024)
    assert.ok(process.memoryUsage().rss - before < 50 * 1_024 * 1_024)
    const large = await meeting(answer(200, { 'x-large': 'x'.repeat(20_000) }))
    assert.equal(large, 'The headers of the answer are too large')
  })

  test('is reported as not delivered: closed, reset, refused', async () => {
    assert.equal(await meeting(close), 'The connection was closed before an answer')
    assert.equal(await meeting(reset), 'The connection was reset')
    const nobody = await startReceiver()
    await nobody[Symbol.asyncDispose]()
    assert.equal(await refusalOf(send(nobody.url, { allow: local })), 'The connection was refused')
  })

  test('does not delay a caller that aborts', async () => {
    await using receiver = await startReceiver({ reaction: hang })
    const stopping = new AbortController()
    const sent = refusalOf(
      send(receiver.url, {
        allow: local,
        deadlines: { headersMs: 10_000, totalMs: 15_000 },
        parcel: { signal: stopping.signal },
      }),
    )
    await receiver.until(1)
    stopping.abort()
    assert.match(await sent, /stopped/)
  })
})

test('a receiver that answers is called again on existing connections, with the body and headers as given', async () => {
  await undisturbed(assertReused)
})

/** A connection that is idle for seconds is closed, which a stopped machine would decide. */
const assertReused = async (): Promise<void> => {
  await using receiver = await startReceiver({ reaction: answer(429, { 'retry-after': '7' }, 'slowly') })
  await using courier = createUndiciCourier({ allow: local })
  const { signal } = new AbortController()
  const calls = Array.from({ length: 20 }, (_, index) => index + 1)
  for (const n of calls) {
    const {
      status,
      headers,
      answer: said,
    } = await courier.post({
      url: `${receiver.url}?n=${n}`,
      headers: { authorization: 'Bearer x' },
      body: Buffer.from(`{"n":${n}}`),
      verifyCertificate: true,
      signal,
    })
    assert.deepEqual([status, headers['retry-after'], Buffer.from(said).toString()], [429, '7', 'slowly'])
  }
  assert.ok(receiver.connections() <= 2, `${receiver.connections()} connections`)
  assert.deepEqual(
    receiver.received.map(({ path, body, headers }) => [
      path,
      body.toString(),
      headers.authorization,
      headers['accept-encoding'],
    ]),
    calls.map((n) => [`/hook?n=${n}`, `{"n":${n}}`, 'Bearer x', 'identity']),
  )
}
