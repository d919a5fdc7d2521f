import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { nodeEnvironment } from '../../test/node-environment.ts'
import { readConfig } from '../config.ts'
import { createMetrics } from '../http/metrics.ts'
import { createLog } from '../lib/log.ts'
import { systemClock } from '../ports/clock/clock.ts'
import { noTracer } from '../ports/tracer/tracer.ts'
import { openTracer } from './telemetry.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

const openWith = (environment: Readonly<Record<string, string>>) =>
  openTracer(readConfig(environment), {
    clock: systemClock,
    log: createLog('silent'),
    metrics: createMetrics(),
  })

/** Loads the product and prints the modules of tracers. */
const listTracers = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
  await import(process.argv[1])
  console.log(JSON.stringify({ count: loaded.length, tracers: loaded.filter((url) => url.includes('/adapters/tracer/')) }))
  process.exit()`

describe('traces', () => {
  test('are off, and nothing of them is loaded, unless a collector is named', async () => {
    assert.equal(await openWith({}), noTracer)
    assert.equal(await openWith({ ...endpoint, OTEL_SDK_DISABLED: 'true' }), noTracer)
    await using tracer = await openWith(endpoint)
    assert.notEqual(tracer, noTracer)
    const given = ['--input-type=module', '-e', listTracers, join(import.meta.dirname, '../compose.ts')]
    const { stdout } = await promisify(execFile)(process.execPath, given, { env: nodeEnvironment() })
    const { count, tracers } = JSON.parse(stdout) as {
      readonly count: number
      readonly tracers: readonly string[]
    }
    assert.ok(count > 500, `${count} modules`)
    assert.deepEqual(tracers, [])
  })

  test('take headers as OpenTelemetry writes them, and never print them', () => {
    const { otlpHeaders } = readConfig({
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20secret%3D1, x-tenant = mill ',
    })
    assert.deepEqual(otlpHeaders.reveal(), { authorization: 'Bearer secret=1', 'x-tenant': 'mill' })
    assert.equal(JSON.stringify({ otlpHeaders }), '{"otlpHeaders":"[secret]"}')
  })
})
