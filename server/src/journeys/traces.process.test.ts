import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity } from '@millseal/contract'
import { assertNowhere } from '../../test/canaries.ts'
import { sampleCertificate } from '../../test/certificates.ts'
import { eventually } from '../../test/eventually.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { newMailHook } from '../../test/mail-hooks.ts'
import {
  type CollectedSpan,
  type Collector,
  lacksCollector,
  startCollector,
} from '../../test/otlp-collector.ts'
import { hang, startReceiver } from '../../test/receiver.ts'
import { freePort, startServer } from '../../test/server-process.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { newHook } from '../../test/webhooks.ts'

const skip = await lacksCollector()
const opened = new AsyncDisposableStack()
const collectorToken = 'token-for-the-collector'

let collector: Collector
/** Its public URL is that of the other process. */
let worker: TestServer
let mill: Owner
let identity: Identity

/** One process answers requests, another does the work. */
before(async () => {
  if (skip !== false) return
  collector = opened.use(await startCollector())
  const folder = opened.use(await makeTemporaryFolder())
  const port = String(await freePort())
  const shared = {
    MILLSEAL_PUBLIC_URL: `http://localhost:${port}`,
    MILLSEAL_WEBHOOK_ALLOW: '127.0.0.0/8',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${collectorToken}`,
    OTEL_METRIC_EXPORT_INTERVAL: '200',
  }
  worker = opened.use(await startOwnServer({ environment: { ...shared, MILLSEAL_ROLES: 'worker,broker' } }))
  opened.use(
    await startServer({
      ...shared,
      DATABASE_URL: worker.config.databaseUrl ?? '',
      MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
      MILLSEAL_DATA_DIR: folder.path,
      MILLSEAL_PORT: port,
      MILLSEAL_ROLES: 'api',
      MILLSEAL_VIES: 'off',
      OTEL_SERVICE_NAME: 'millseal-api',
    }),
  )
  mill = await newOwner(worker, 'traced-mill')
  identity = await newIdentity(worker.client(mill.admin.accessToken), mill.company.id)
})
after(() => opened.disposeAsync())

const notarized = [{ resource: 'certificates', actions: ['notarize_one'], mode: 'test' as const }]

const notarize = async (number: string, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
  const certificate = sampleCertificate({ number, receiver: { email: 'goods-in@example.com' } })
  const answer = await fetch(`${worker.url}/api/certificates/notarize?mode=test&identity=${identity.id}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${mill.admin.accessToken}`,
      company: mill.company.id,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(certificate),
  })
  const { jobId } = (await answer.json()) as { readonly jobId?: string }
  const client = worker.client(mill.admin.accessToken)
  const { id } = await endedNotarization(client, { company: mill.company.id, jobId })
  return id
}

const traceOf = (certificateId: string): string => certificateId.replaceAll('-', '')

/** The spans of a trace as soon as they have all these names, each as often as it is given. */
const spansOf = (traceId: string, ...names: readonly string[]): Promise<readonly CollectedSpan[]> => {
  let found: readonly CollectedSpan[] = []
  return eventually(
    () => {
      found = collector.spans().filter((span) => span.traceId === traceId)
      const times = (name: string, of: readonly string[]) => of.filter((one) => one === name).length
      const all = found.map((span) => span.name)
      return names.every((name) => times(name, all) >= times(name, names)) && found
    },
    {
      what: () => `of ${names.join(', ')} there are ${found.map(({ name }) => name).join(', ')}`,
      everyMs: 50,
    },
  )
}

const route = 'POST /certificates/notarize'

describe('a notarization', { skip }, () => {
  test('is one trace from the request to the ledger, webhook, mail and MQTT, over two processes', async () => {
    await using receiver = await startReceiver()
    await newHook(worker, mill, {
      connectionUrl: `${receiver.url}?token=token-of-the-target`,
      scopes: notarized,
    })
    await newMailHook(worker, mill, { scopes: notarized })
    const id = await notarize('T-1')
    const names = `${route},accept,notarize,claim,render,record,complete,write event,relay event,publish event,deliver webhook,send mail,send mail`
    const spans = await spansOf(traceOf(id), ...names.split(','))
    const byId = new Map(spans.map((span) => [span.spanId, span]))
    assert.equal(byId.size, spans.length, 'every span has an id of its own')
    const wayOf = ({ name, parentSpanId }: CollectedSpan): string => {
      const parent = parentSpanId === undefined ? undefined : byId.get(parentSpanId)
      return parent === undefined ? name : `${wayOf(parent)} > ${name}`
    }
    const attempt = `${route} > accept > notarize`
    assert.deepEqual(
      [...new Set(spans.map(wayOf))].toSorted(),
      [
        route,
        `${route} > accept`,
        attempt,
        `${attempt} > claim`,
        `${attempt} > render`,
        `${attempt} > record`,
        `${attempt} > complete`,
        `${attempt} > complete > send mail`,
        `${attempt} > complete > write event`,
        `${attempt} > complete > write event > publish event`,
        `${attempt} > complete > write event > relay event`,
        `${attempt} > complete > write event > relay event > deliver webhook`,
        `${attempt} > complete > write event > send mail`,
      ].toSorted(),
    )
    for (const span of spans) {
      assert.ok(
        BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano),
        `${span.name} ends after it starts`,
      )
      assert.equal(span.status.code ?? 0, 0, `${span.name} succeeded`)
    }
    const instances = (...of: readonly string[]) =>
      new Set(spans.filter(({ name }) => of.includes(name)).map(({ instance }) => instance))
    const [ofApi, ofWorker] = [instances(route, 'accept'), instances('claim', 'record', 'deliver webhook')]
    assert.deepEqual([ofApi.size, ofWorker.size], [1, 1])
    assert.notDeepEqual(ofApi, ofWorker)

    const named = (name: string) => spans.find((span) => span.name === name) ?? assert.fail(name)
    const { attributes } = named(route)
    assert.equal(attributes['http.route'], '/certificates/notarize')
    assert.equal(attributes['http.response.status_code'], 201)
    const certificate = await worker
      .client(mill.admin.accessToken)
      .readCertificate({ company: mill.company.id, params: { id } })
    assert.equal(named('record').attributes['millseal.transaction.id'], certificate.transactionId)
    const [delivered] = await receiver.until(1)
    const { spanId } = named('deliver webhook')
    assert.equal(delivered?.headers['traceparent'], `00-${traceOf(id)}-${spanId}-01`)
  })

  test('that continues a trace of the caller is linked with it in both directions', async () => {
    const caller = { traceId: 'c0ffee00'.repeat(4), spanId: 'feedbeef'.repeat(2) }
    const id = await notarize('T-2', { traceparent: `00-${caller.traceId}-${caller.spanId}-01` })
    const [request] = await spansOf(caller.traceId, route)
    const accept = (await spansOf(traceOf(id), 'accept')).find(({ name }) => name === 'accept')
    assert.equal(request?.parentSpanId, caller.spanId)
    const linksOf = (span: CollectedSpan | undefined) =>
      span?.links?.map(({ traceId, spanId }) => ({ traceId, spanId }))
    assert.deepEqual(linksOf(request), [{ traceId: traceOf(id), spanId: accept?.spanId }])
    assert.deepEqual(linksOf(accept), [{ traceId: caller.traceId, spanId: request?.spanId }])
  })

  test('shows no secret and nothing that people wrote to the collector or the log', async () => {
    const id = await notarize('NUMBER-OF-A-CERTIFICATE', { 'idempotency-key': 'key-of-a-repeated-call' })
    await spansOf(traceOf(id), 'send mail')
    assertNowhere(
      Object.entries({
        'access token': mill.admin.accessToken,
        'idempotency key': 'key-of-a-repeated-call',
        'token of the webhook': 'token-of-the-target',
        'token of the collector': collectorToken,
        'name of the company': mill.company.name,
        'address of the receiver': 'goods-in@example.com',
        'address of the issuer': mill.admin.email,
        'number of the certificate': 'NUMBER-OF-A-CERTIFICATE',
      }),
      [['collector', collector.lines.join('\n')]],
    )
    assertNowhere([['token of the collector', collectorToken]], [['log', worker.log.join('\n')]])
    assert.match(worker.log.join('\n'), /traces and metrics are sent to a collector/)
    assert.ok(worker.log.join('\n').includes(collector.endpoint))
  })
})

test('the metrics of each process are those of its /metrics', { skip }, async () => {
  const scraped = await (await fetch(`${worker.composed.address()}/metrics`)).text()
  const names = [...scraped.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
  assert.ok(names.length > 30, `${names.length} metrics`)
  await eventually(
    () => [...collector.metricNames().values()].some((sent) => names.every((name) => sent.has(name))),
    { what: 'a process has sent all metrics of the worker', everyMs: 100 },
  )
})

test('a collector that never answers changes nothing for those who notarize, and does not keep a server from stopping', async () => {
  await using silent = await startReceiver({ reaction: hang })
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${silent.port}` }
  await using server = await startOwnServer({ environment })
  const { admin, company } = await newOwner(server, 'untraced-mill')
  const client = server.client(admin.accessToken)
  const { id } = await newIdentity(client, company.id)
  const { jobId } = await client.notarizeCertificate({
    company: company.id,
    query: { mode: 'test', identity: id },
    document: new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' }),
  })
  const { state, error } = await endedNotarization(client, { company: company.id, jobId })
  assert.equal(state, 'notarized', error)
  await silent.until(2)
})
