import { join } from 'node:path'
import { startReceiver } from '../../../server/test/receiver.ts'
import { alternate, type Bench, type Rate, rateOf } from '../measuring.ts'
import { type Mill, notarizeMany, startMill } from '../product.ts'
import { openPublished } from '../published.ts'

const [count, rounds] = [60, 9]

/** The same certificates with a webhook on a server that sends traces to a collector, and on one that does not, in turns. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using collector = await startReceiver()
  await using target = await startReceiver()
  const start = async (name: string, settings: Readonly<Record<string, string>>) => {
    const mill = await startMill(join(folder, name), {
      MILLSEAL_PROCESSES: '1',
      MILLSEAL_WEBHOOK_ALLOW: '127.0.0.0/8',
      ...settings,
    })
    await mill.api('POST', `/identities/${mill.identity}/notarize?mode=test`, {})
    const scopes = [{ resource: 'certificates', actions: ['notarize_one'] }]
    await mill.api('POST', '/hooks', { connectionUrl: target.url, mode: 'test', scopes })
    return mill
  }
  await using off = await start('off', {})
  await using on = await start('on', {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
    OTEL_METRIC_EXPORT_INTERVAL: '10000',
  })
  const { makeMany, what } = await openPublished()
  const bodies = makeMany(count * (rounds + 1) * 2)
  let delivered = 0
  const deliverMany = (mill: Mill) => async (): Promise<Rate> => {
    await mill.signIn()
    return await rateOf(async () => {
      delivered += await notarizeMany(mill, bodies, count)
      await target.until(delivered)
      return count
    }, mill.pid)
  }
  const { medians, ratios } = await alternate({ off: deliverMany(off), on: deliverMany(on) }, rounds)
  report.rate(`a ${what} notarized and delivered, without traces`, medians.off)
  const traces = collector.received.filter(({ path }) => path === '/v1/traces')
  const bytes = traces.reduce((sum, { body }) => sum + body.length, 0)
  const note = `${Math.round(bytes / count / (rounds + 1))} bytes to the collector for each`
  report.rate('… every one with a trace', medians.on, { note })
  report.ratio('… processor time, on : off', ratios('on', 'off', 'cpuMicroseconds'), { atMost: 1.03 })
}
