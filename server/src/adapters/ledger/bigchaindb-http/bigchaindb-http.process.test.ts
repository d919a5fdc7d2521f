import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { serveLedger, type ServedLedger } from '../../../../test/ledger-face.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { LedgerUnavailable, TransactionRefused } from '../../../ports/ledger/ledger.ts'
import { describeLedger } from '../../../ports/ledger/ledger.suite.ts'
import { createBigchaindbHttpLedger } from './bigchaindb-http.ts'
import { generousDeadline } from '../../../../test/eventually.ts'

describeLedger('over the HTTP API of another installation', async (mode) => {
  const served = await serveLedger()
  return {
    ledger: createBigchaindbHttpLedger({ mode, url: served.url }),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  }
})

type Answer = { readonly status: number; readonly text: string }
type Tamper = (answer: Answer, request: IncomingMessage, response: ServerResponse) => Answer | undefined

describe('a network that cannot be trusted', () => {
  let served: ServedLedger
  before(async () => {
    served = await serveLedger()
  })
  after(() => served[Symbol.asyncDispose]())

  /** A proxy in front of the real network. `tamper` changes an answer, or answers itself. */
  const between = async (tamper: Tamper) => {
    const server = createServer((request, response) => {
      const relay = async () => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        const { method = 'GET', url = '/' } = request
        const answer = await fetch(`${served.url}${url}`, {
          method,
          ...(method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
        })
        const changed = tamper({ status: answer.status, text: await answer.text() }, request, response)
        if (changed !== undefined) response.writeHead(changed.status).end(changed.text)
      }
      relay().catch((error: unknown) => response.writeHead(599).end(String(error)))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}`,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        server.close()
      },
    }
  }
  const mill = makeLedgerSigner()
  const unavailable = (reason: RegExp) => (error: unknown) =>
    error instanceof LedgerUnavailable && reason.test(error.message)

  test('is rejected when it changes a transaction or sends a different one', async () => {
    const [asked, other] = [mill.create(certificateAsset()), mill.create(certificateAsset())]
    for (const transaction of [asked, other]) await served.ledger.submit(transaction)
    const changes: readonly ((text: string) => string)[] = [
      (text) => text.replace('"schema":"', '"schema":"x'),
      (text) => text.replace('"amount":"1"', '"amount":"2"'),
      () => JSON.stringify(other),
      () => '{}',
      () => '[]',
      () => 'null',
    ]
    for (const change of changes) {
      await using proxy = await between(({ status, text }, { url }) => ({
        status,
        text: url?.includes('/transactions') === true ? change(text) : text,
      }))
      const ledger = createBigchaindbHttpLedger({ mode: 'test', url: proxy.url })
      await assert.rejects(ledger.find(asked.id), unavailable(/cannot be trusted/), String(change))
    }
    await using proxy = await between(({ status }) => ({ status, text: JSON.stringify([other]) }))
    const ledger = createBigchaindbHttpLedger({ mode: 'test', url: proxy.url })
    await assert.rejects(ledger.findByAsset(asked.id), unavailable(/not requested/))
  })

  test('is rejected when it names a transaction that does not record the certificate', async () => {
    const asset = certificateAsset()
    const { id } = mill.create(asset)
    await served.ledger.submit(mill.create(asset))
    await using proxy = await between(({ status, text }, { url }) =>
      url?.includes('/assets') === true
        ? { status: 200, text: JSON.stringify([{ id, data: {} }]) }
        : { status, text },
    )
    const ledger = createBigchaindbHttpLedger({ mode: 'test', url: proxy.url })
    assert.equal((await ledger.findCertificate(asset.jsonHash))?.transaction.id, id)
    assert.equal(await ledger.findCertificate('ab'.repeat(32)), undefined)
  })

  test('whose answer is lost has the transaction once, and the retry finds it', async () => {
    let lost = 0
    await using proxy = await between((answer, { method }, response) => {
      if (method !== 'POST' || lost > 0) return answer
      lost += 1
      response.destroy()
      return undefined
    })
    const ledger = createBigchaindbHttpLedger({ mode: 'test', url: proxy.url })
    const transaction = mill.create(certificateAsset())
    await assert.rejects(ledger.submit(transaction), LedgerUnavailable)
    assert.equal(lost, 1)
    const { entry, isNew } = await ledger.submit(transaction)
    assert.equal(isNew, false)
    assert.deepEqual(entry.transaction, transaction)
  })

  test('that does not answer in time, or answers without end, is abandoned', async () => {
    await using silent = await between(() => undefined)
    const hasty = createBigchaindbHttpLedger({ mode: 'test', url: silent.url, timeoutMs: 100 })
    await assert.rejects(hasty.find('0'.repeat(64)), unavailable(/no answer within 100 ms/))
    await using endless = await between(() => ({ status: 200, text: `"${'x'.repeat(5_000)}"` }))
    const frugal = createBigchaindbHttpLedger({ mode: 'test', url: endless.url, maxBytes: 4_096 })
    await assert.rejects(frugal.find('0'.repeat(64)), unavailable(/more than 4096 bytes/))
  })

  test('that is down, or redirects, can be retried later', async () => {
    const nowhere = createServer()
    nowhere.listen(0, '127.0.0.1')
    await once(nowhere, 'listening')
    const { port } = nowhere.address() as AddressInfo
    nowhere.close()
    await once(nowhere, 'close')
    const down = createBigchaindbHttpLedger({ mode: 'test', url: `http://127.0.0.1:${port}` })
    await assert.rejects(down.submit(mill.create(certificateAsset())), unavailable(/ECONNREFUSED/))
    await assert.rejects(down.check(generousDeadline()), unavailable(/ECONNREFUSED/))
    for (const status of [302, 429, 500, 503]) {
      await using proxy = await between((answer, { method }, response) => {
        if (method !== 'POST') return answer
        response.writeHead(status, { location: served.url }).end('<html>no</html>')
        return undefined
      })
      const ledger = createBigchaindbHttpLedger({ mode: 'test', url: proxy.url })
      await assert.rejects(
        ledger.submit(mill.create(certificateAsset())),
        unavailable(new RegExp(`answers ${status}: <html>`)),
      )
    }
  })

  test('that accepts no submissions of others refuses the transaction for good', async () => {
    const ledger = createBigchaindbHttpLedger({ mode: 'test', url: `${served.origin}/ledger/live` })
    await assert.rejects(
      ledger.submit(mill.create(certificateAsset())),
      (error) => error instanceof TransactionRefused && /only from its own service/.test(error.message),
    )
  })

  test('has the reason of a refusal reduced to one line that can be stored and mailed', async () => {
    const text = `no\u0000\r\nBcc: victim@example.com\u001b[2J\u2028${'x'.repeat(5_000)}`
    for (const message of [text, [text], { text }]) {
      await using proxy = await between((answer, { method }) =>
        method === 'POST'
          ? { status: 400, text: JSON.stringify({ message }) }
          : { ...answer, status: answer.text.startsWith('[') ? 200 : 404, text: '[]' },
      )
      const ledger = createBigchaindbHttpLedger({ mode: 'test', url: proxy.url })
      await assert.rejects(ledger.submit(mill.create(certificateAsset())), (error) => {
        assert.ok(error instanceof TransactionRefused)
        assert.match(error.message, /^[^\p{Cc}\p{Zl}\p{Zp}]{1,1000}$/u)
        return true
      })
    }
  })

  test('is reached by every spelling of its address', async () => {
    for (const url of [served.url, `${served.url}/`, `${served.url}/api/v1`, `${served.url}/api/v1/`])
      await createBigchaindbHttpLedger({ mode: 'test', url }).check(generousDeadline())
  })
})
