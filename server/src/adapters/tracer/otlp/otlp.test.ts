import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { eventually } from '../../../../test/eventually.ts'
import { answer, hang, type Reaction, type Receiver, startReceiver } from '../../../../test/receiver.ts'
import { createLog } from '../../../lib/log.ts'
import { Secret } from '../../../lib/secret.ts'
import { systemClock } from '../../../ports/clock/clock.ts'
import { openOtlp } from './open-otlp.ts'
import { placeOf } from './span-place.ts'

const token = 'Bearer a-token-of-the-collector'

const open = (endpoint: string) => {
  const registry = new Registry()
  const log: string[] = []
  const tracer = openOtlp(
    {
      endpoint,
      headers: new Secret({ authorization: token }),
      serviceName: 'mill',
      version: '1.2.3',
      sampler: 'always_on',
      ratio: 1,
      metricIntervalMs: 100,
    },
    {
      clock: systemClock,
      registry,
      log: createLog('debug', { write: (line: string) => void log.push(line) }),
    },
  )
  const counted = async (outcome: 'sent' | 'dropped'): Promise<number> => {
    const counter = (await registry.getMetricsAsJSON()).find(
      ({ name }) => name === 'millseal_otlp_spans_total',
    )
    return counter?.values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0
  }
  const add = (count: number): void => {
    for (let n = 0; n < count; n += 1) tracer.add({ name: 'step', startedAt: tracer.now() })
  }
  return { tracer, registry, log, counted, add }
}

type Span = Readonly<Record<string, unknown>> & { readonly name: string }
type Traces = {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
}

const spansOf = ({ received }: Receiver): readonly Span[] =>
  received
    .filter(({ path }) => path === '/base/v1/traces')
    .map(({ body }) => JSON.parse(body.toString()) as Traces)
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)

const baseOf = ({ port }: Receiver): string => `http://127.0.0.1:${port}/base`

/** The first requests with spans are answered by these, all others with 200. */
const firstTraces = (...reactions: readonly Reaction[]): Reaction => {
  let nth = 0
  return (given) => {
    const reaction = given.request.path.endsWith('/traces') ? reactions[nth++] : undefined
    const react = reaction ?? answer(200, {}, '{}')
    react(given)
  }
}

describe('a collector', () => {
  test('gets spans with parents, errors and links, and its own headers', async () => {
    await using collector = await startReceiver()
    const { tracer } = open(baseOf(collector))
    await tracer.run({ name: 'outer', attributes: { count: 2, share: 0.5, isNew: true } }, async (outer) => {
      outer.set({ word: 'iron' })
      tracer.add({ name: 'inner', startedAt: tracer.now() })
    })
    const known = { trace: '019dd1a2-77b3-7da6-a3ce-929d0e0e4736', step: 'accept' }
    const place = placeOf(known)
    const failing = tracer.run({ name: 'failing', known }, async () => {
      throw new TypeError('a message with a password')
    })
    await assert.rejects(failing, TypeError)
    const request = tracer.beginRequest(`00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`)
    request.run(() => tracer.add({ name: 'elsewhere', known, startedAt: tracer.now() }))
    request.end({ name: 'GET /x', attributes: {}, error: undefined })
    await tracer[Symbol.asyncDispose]()

    const spans = new Map(spansOf(collector).map((span) => [span.name, span]))
    const [outer, inner, failed] = [spans.get('outer'), spans.get('inner'), spans.get('failing')]
    assert.deepEqual(outer?.['attributes'], [
      { key: 'count', value: { intValue: '2' } },
      { key: 'share', value: { doubleValue: 0.5 } },
      { key: 'isNew', value: { boolValue: true } },
      { key: 'word', value: { stringValue: 'iron' } },
    ])
    assert.deepEqual([inner?.['traceId'], inner?.['parentSpanId']], [outer?.['traceId'], outer?.['spanId']])
    assert.deepEqual(failed?.['status'], { code: 2 })
    assert.deepEqual(failed?.['attributes'], [{ key: 'error.type', value: { stringValue: 'TypeError' } }])
    assert.notEqual(failed?.['spanId'], place.spanId, 'the id belongs to the attempt that succeeds')
    const [get, elsewhere] = [spans.get('GET /x'), spans.get('elsewhere')]
    assert.deepEqual(get?.['links'], [place])
    assert.equal(get?.['parentSpanId'], 'cd'.repeat(8))
    assert.deepEqual(elsewhere?.['links'], [{ traceId: 'ab'.repeat(16), spanId: get?.['spanId'] }])
    assert.equal(elsewhere?.['parentSpanId'], undefined)
    const { headers } = collector.received.find(({ path }) => path === '/base/v1/traces') ?? assert.fail()
    assert.deepEqual([headers.authorization, headers['content-type']], [token, 'application/json'])
    const said = collector.received.map(({ body }) => body.toString()).join('\n')
    assert.doesNotMatch(said, /password/)
  })

  test('gets the metrics of /metrics under the same names', async () => {
    await using collector = await startReceiver()
    const { tracer, registry } = open(baseOf(collector))
    const registers = [registry]
    new Counter({ name: 'made_total', help: 'h', labelNames: ['of'], registers }).inc({ of: 'iron' }, 3)
    new Gauge({ name: 'used_bytes', help: 'h', registers }).set(Number.NaN)
    const times = new Histogram({
      name: 'took_seconds',
      help: 'h',
      labelNames: ['of'],
      buckets: [1, 2],
      registers,
    })
    for (const seconds of [0.5, 1.5, 1.75, 9]) times.observe({ of: 'iron' }, seconds)
    const received = await eventually(() =>
      collector.received.find(
        ({ path, body }) => path === '/base/v1/metrics' && body.includes('took_seconds'),
      ),
    )
    await tracer[Symbol.asyncDispose]()
    const { resourceMetrics } = JSON.parse(received.body.toString())
    const [{ resource, scopeMetrics }] = resourceMetrics
    assert.deepEqual(resource.attributes[0], { key: 'service.name', value: { stringValue: 'mill' } })
    const named = (name: string) => scopeMetrics[0].metrics.find((metric: Span) => metric.name === name)
    const attributes = [{ key: 'of', value: { stringValue: 'iron' } }]
    const { sum } = named('made_total')
    assert.deepEqual([sum.aggregationTemporality, sum.isMonotonic], [2, true])
    assert.deepEqual([sum.dataPoints[0].asDouble, sum.dataPoints[0].attributes], [3, attributes])
    assert.deepEqual([named('used_bytes').unit, named('used_bytes').gauge], ['By', { dataPoints: [] }])
    const [point] = named('took_seconds').histogram.dataPoints
    assert.deepEqual(point.attributes, attributes)
    assert.deepEqual([point.count, point.sum], ['4', 12.75])
    assert.deepEqual(
      [point.explicitBounds, point.bucketCounts],
      [
        [1, 2],
        ['1', '2', '1'],
      ],
    )
  })
})

describe('a collector that does not take spans', () => {
  for (const [name, reactions] of [
    ['is overloaded', [answer(429, { 'retry-after': '1' }), answer(503)]],
    ['closes the connection', [({ response }) => void response.socket?.destroy()]],
  ] as const satisfies readonly (readonly [string, readonly Reaction[]])[]) {
    test(`because it ${name} gets them later, once`, async () => {
      await using collector = await startReceiver({ reaction: firstTraces(...reactions) })
      const { tracer, counted, add } = open(baseOf(collector))
      add(3)
      await eventually(async () => (await counted('sent')) === 3)
      await tracer[Symbol.asyncDispose]()
      assert.equal(spansOf(collector).length, 3 * (reactions.length + 1))
      assert.equal(await counted('dropped'), 0)
    })
  }

  test('because they are invalid does not get them again; they are counted, and the log says so without secrets', async () => {
    const partial = answer(200, {}, '{"partialSuccess":{"rejectedSpans":"1"}}')
    await using collector = await startReceiver({ reaction: firstTraces(answer(400, {}, 'no'), partial) })
    const { tracer, counted, add, log } = open(baseOf(collector))
    add(2)
    await eventually(async () => (await counted('dropped')) === 2)
    add(3)
    await tracer[Symbol.asyncDispose]()
    assert.deepEqual([await counted('sent'), await counted('dropped')], [2, 3])
    assert.match(log.join(''), /the collector of traces and metrics does not take them/)
    assert.doesNotMatch(log.join(''), /a-token-of-the-collector/)
  })

  for (const [name, isThere] of [
    ['never answers', true],
    ['is away', false],
  ] as const) {
    test(`because it ${name} costs at most the spans that fit into the queue, and does not keep the process`, async () => {
      await using running = new AsyncDisposableStack()
      const collector = await startReceiver({ reaction: hang })
      if (isThere) running.use(collector)
      else await collector[Symbol.asyncDispose]()
      const { tracer, counted, add } = open(baseOf(collector))
      add(20_000)
      assert.equal(await counted('dropped'), 20_000 - 8_192)
      await tracer[Symbol.asyncDispose]()
      assert.deepEqual([await counted('sent'), await counted('dropped')], [0, 20_000])
    })
  }
})
