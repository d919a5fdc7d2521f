import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { load } from '../load.ts'
import { startProcess, stopProcess } from '../processes.ts'
import type { Measurement } from '../row.ts'
import { inTurn, medianOf, ratioRow } from '../statistics.ts'

/** What the whole stack costs (routing, gate, headers, metrics, a log line) beside a bare node:http server. */
export const httpStack: Measurement = {
  name: 'http',
  async measure({ server }) {
    const ours = await server('unlimited')
    const healthUrl = `${ours.url}/api/health`
    await using raw = await startRaw(healthUrl)
    const rounds = await inTurn({
      ours: () => load(ours, 200, { url: healthUrl }),
      raw: () => load(raw, 200, { url: raw.url }),
    })
    return [
      { what: 'GET /api/health', value: medianOf(rounds, (round) => round.ours.perSecond), unit: '/s' },
      { what: '… p99', value: medianOf(rounds, (round) => round.ours.p99Ms), unit: 'ms' },
      {
        what: '… processor time of the server per answer',
        value: medianOf(rounds, (round) => round.ours.cpuMicroseconds),
        unit: 'µs',
      },
      {
        what: 'bare node:http, the same bytes',
        value: medianOf(rounds, (round) => round.raw.perSecond),
        unit: '/s',
      },
      ratioRow('throughput, ours : bare', rounds, (round) => round.ours.perSecond / round.raw.perSecond),
      ratioRow(
        'processor time, ours : bare',
        rounds,
        (round) => round.ours.cpuMicroseconds / round.raw.cpuMicroseconds,
      ),
    ]
  },
}

type RawServer = AsyncDisposable & { readonly url: string; readonly pid: number }

const startRaw = async (model: string): Promise<RawServer> => {
  const args = [JSON.stringify(await readAnswer(model))]
  const program = join(import.meta.dirname, '../raw-server.ts')
  const child = startProcess(program, { args, stdout: 'pipe', stderr: 'inherit' })
  if (child.stdout === null) throw new Error('The bare server cannot be heard')
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    url: `http://127.0.0.1:${port.toString().trim()}/api/health`,
    pid: child.pid,
    [Symbol.asyncDispose]: () => stopProcess(child),
  }
}

/** Less what node:http writes by itself. */
const readAnswer = async (url: string): Promise<{ headers: string[]; body: string }> => {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false }, resolve).once('error', reject)
  })
  const body = await text(response)
  const headers = Object.entries(response.headers)
    .filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
    .flatMap(([name, value]) => [name, String(value)])
  return { headers, body }
}
