import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import type { UnknownReason, VatAnswer, VatRegistry } from '../../ports/vat-registry/vat-registry.ts'
import { describeVatRegistry, suiteCompany, suiteTime } from '../../ports/vat-registry/vat-registry.suite.ts'
import { answerJson, type Behaviour, type FakeVies, startFakeVies, verdict } from './fake-vies.suite.ts'
import { createViesRegistry, type ViesOptions } from './vies.ts'
import { generousMs } from '../../../test/eventually.ts'

const clock = { now: () => suiteTime, steady: () => suiteTime }

interface Opened extends AsyncDisposable {
  readonly vies: FakeVies
  readonly registry: VatRegistry
}

const open = async (options: Partial<ViesOptions> = {}): Promise<Opened> => {
  const vies = await startFakeVies()
  const registry = createViesRegistry({ clock, url: vies.url, timeoutMs: generousMs, ...options })
  return { vies, registry, [Symbol.asyncDispose]: () => vies[Symbol.asyncDispose]() }
}

const never = new AbortController().signal

const ask = async (behaviour: Behaviour, options: Partial<ViesOptions> = {}): Promise<VatAnswer> => {
  await using opened = await open(options)
  opened.vies.behave(behaviour)
  return await opened.registry.lookUp(suiteCompany, never)
}

const assertUnknown = (answer: VatAnswer, reason: UnknownReason, detail?: string): void => {
  assert.equal(answer.status, 'unknown')
  assert.equal(answer.reason, reason)
  assert.equal(answer.detail, detail)
  assert.ok(answer.retryAfterSeconds >= 60)
}

describeVatRegistry('VIES', { answers: true }, () => open())

describe('a request to VIES', () => {
  test('contains only the number, and asks for a proof of the consultation if there is a requester', async () => {
    await using opened = await open()
    await opened.registry.lookUp(suiteCompany, never)
    await using known = await open({ requester: { country: 'AT', number: 'U74488404' } })
    known.vies.behave((response, question) =>
      answerJson(response, verdict(question, true, { requestIdentifier: 'WAPIAAAAaEDkvhHx' })),
    )
    const answer = await known.registry.lookUp(suiteCompany, never)
    assert.deepEqual(opened.vies.questions, [{ countryCode: 'EL', vatNumber: '094259216' }])
    assert.deepEqual(known.vies.questions, [
      {
        countryCode: 'EL',
        vatNumber: '094259216',
        requesterMemberStateCode: 'AT',
        requesterNumber: 'U74488404',
      },
    ])
    assert.ok(answer.status === 'registered')
    assert.equal(answer.requestId, 'WAPIAAAAaEDkvhHx')
  })

  test('is not sent for numbers of other countries', async () => {
    await using opened = await open()
    assertUnknown(await opened.registry.lookUp({ country: 'CH', number: 'E107787577' }, never), 'not_covered')
    assertUnknown(await opened.registry.lookUp({ country: 'GB', number: '980780684' }, never), 'not_covered')
    assert.deepEqual(opened.vies.questions, [])
  })
})

const errors: Readonly<Record<string, UnknownReason>> = {
  INVALID_INPUT: 'refused',
  INVALID_REQUESTER_INFO: 'refused',
  VAT_BLOCKED: 'refused',
  IP_BLOCKED: 'refused',
  SERVICE_UNAVAILABLE: 'unavailable',
  MS_UNAVAILABLE: 'unavailable',
  TIMEOUT: 'timeout',
  GLOBAL_MAX_CONCURRENT_REQ: 'busy',
  GLOBAL_MAX_CONCURRENT_REQ_TIME: 'busy',
  MS_MAX_CONCURRENT_REQ: 'busy',
  MS_MAX_CONCURRENT_REQ_TIME: 'busy',
  'VOW-ERR-1': 'unavailable',
}

describe('an error of VIES means unknown:', () => {
  for (const [error, reason] of Object.entries(errors)) {
    test(`${error}, in each of its forms, even together with a verdict`, async () => {
      const wrapped = { actionSucceed: false, errorWrappers: [{ error, message: 'try later' }] }
      for (const status of [200, 400, 500]) {
        assertUnknown(await ask((response) => answerJson(response, wrapped, status)), reason, error)
      }
      for (const valid of [true, false]) {
        const besides: Behaviour = (response, question) =>
          answerJson(response, verdict(question, valid, { userError: error }))
        assertUnknown(await ask(besides), reason, error)
        const inside: Behaviour = (response, question) =>
          answerJson(response, { ...verdict(question, valid), ...wrapped })
        assertUnknown(await ask(inside), reason, error)
      }
    })
  }

  test('an error without a valid code is reported without it', async () => {
    const without = await ask((response) => answerJson(response, { actionSucceed: false, errorWrappers: [] }))
    assertUnknown(without, 'unavailable', 'NO CODE')
    const script = await ask((response) => answerJson(response, { errorWrappers: [{ error: '<script>' }] }))
    assertUnknown(script, 'unavailable')
  })

  test('a status other than 200, whatever the body contains', async () => {
    const statuses: readonly [number, UnknownReason][] = [
      [201, 'unavailable'],
      [404, 'unavailable'],
      [429, 'busy'],
      [503, 'unavailable'],
    ]
    for (const [status, reason] of statuses) {
      const answer = await ask((response, question) => answerJson(response, verdict(question, true), status))
      assertUnknown(answer, reason, `HTTP ${status}`)
    }
  })
})

describe('an answer that is not completely understood means unknown:', () => {
  const garbage: Readonly<Record<string, Behaviour>> = {
    'no JSON': (response) => response.end('<html>we are back soon</html>'),
    nothing: (response) => response.end(),
    'half an answer': (response, question) =>
      response.end(JSON.stringify(verdict(question, true)).slice(0, -9)),
    'a list': (response, question) => answerJson(response, [verdict(question, true)]),
    null: (response) => answerJson(response, null),
    'no verdict': (response, question) =>
      answerJson(response, { ...verdict(question, true), valid: undefined }),
    'a verdict in words': (response, question) =>
      answerJson(response, { ...verdict(question, true), valid: 'true' }),
    'a verdict about another number': (response, question) =>
      answerJson(response, verdict({ ...question, vatNumber: '090027346' }, true)),
    'a verdict about another country': (response, question) =>
      answerJson(response, verdict({ ...question, countryCode: 'CY' }, true)),
    'a verdict about nothing': (response) => answerJson(response, { valid: true }),
  }
  for (const [name, behaviour] of Object.entries(garbage)) {
    test(name, async () => assertUnknown(await ask(behaviour), 'malformed_answer'))
  }

  test('more than 64 kB, and the rest is not read', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const answer = await ask((response) => {
      response.on('close', resolve)
      const flood = (): void => {
        while (response.write('x'.repeat(16_384)));
        response.once('drain', flood)
      }
      flood()
    })
    assertUnknown(answer, 'malformed_answer', 'TOO LARGE')
    await closed
  })

  test('a redirect, which is not followed', async () => {
    await using elsewhere = await startFakeVies()
    const answer = await ask((response) =>
      response.writeHead(307, { location: `${elsewhere.url}/check-vat-number` }).end(),
    )
    assertUnknown(answer, 'unavailable', 'HTTP 307')
    assert.deepEqual(elsewhere.questions, [])
  })
})

describe('texts of a register', () => {
  test('are shortened and have control characters removed', async () => {
    const name = `ACME \u0000\u001b[2J\u202e${'x'.repeat(2_000)}`
    const address = `Street 1\r\n1010\tWien\u0007`
    const answer = await ask((response, question) =>
      answerJson(response, verdict(question, true, { name, address })),
    )
    assert.ok(answer.status === 'registered')
    assert.match(answer.name ?? '', /^ACME \[2J x+$/)
    assert.ok((answer.name ?? '').length <= 500)
    assert.equal(answer.address?.text, 'Street 1\n1010 Wien')
  })

  test('of another type than text are ignored', async () => {
    const odd = { name: 7, address: { street: 'x' }, requestIdentifier: null }
    const answer = await ask((response, question) => answerJson(response, verdict(question, true, odd)))
    assert.deepEqual(answer, { status: 'registered', checkedAt: new Date(suiteTime) })
  })
})

describe('a register that', () => {
  test('is down or disconnects means unknown immediately', async () => {
    const gone = await startFakeVies()
    await gone[Symbol.asyncDispose]()
    const registry = createViesRegistry({ clock, url: gone.url, timeoutMs: generousMs })
    assertUnknown(await registry.lookUp(suiteCompany, never), 'unavailable', 'ECONNREFUSED')
    const closing: Behaviour = (response) => response.socket?.destroy()
    assertUnknown(await ask(closing), 'unavailable', 'UND_ERR_SOCKET')
    const halfway: Behaviour = (response) => {
      response
        .writeHead(200, { 'content-length': 999 })
        .write('{"valid":true', () => response.socket?.destroy())
    }
    assert.equal((await ask(halfway)).status, 'unknown')
  })

  test('never answers, or answers without end, is abandoned at the deadline of the call', async () => {
    const drip: Behaviour = (response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    }
    const headersOnly: Behaviour = (response) => response.writeHead(200).flushHeaders()
    // Without the deadline none of them would ever end.
    for (const behaviour of [() => {}, headersOnly, drip]) {
      assertUnknown(await ask(behaviour, { timeoutMs: 200 }), 'timeout')
    }
  })

  test('accepts a connection and never answers is abandoned as well', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}).resume())
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    assert.ok(address !== null && typeof address === 'object')
    const registry = createViesRegistry({ clock, url: `http://127.0.0.1:${address.port}`, timeoutMs: 200 })
    assertUnknown(await registry.lookUp(suiteCompany, never), 'timeout')
    silent.close()
    await once(silent, 'close')
  })

  test('hangs is abandoned as soon as the caller aborts', async () => {
    await using opened = await open()
    const leaving = new AbortController()
    const reason = new Error('left')
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    opened.vies.behave((response) => {
      response.on('close', resolve)
      leaving.abort(reason)
    })
    await assert.rejects(opened.registry.lookUp(suiteCompany, leaving.signal), (error) => error === reason)
    await closed
  })
})
