import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type CostlyFile, costlyFiles } from '../../../server/test/attacks/costly-files.ts'
import { type Bench, repeat } from '../measuring.ts'
import { send, startServer } from '../product.ts'

/** Ten addresses without a token send the most costly files that we know, one after the other, without a pause. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using server = await startServer(folder)
  const health = () => send(`${server.url}/api/health`, { status: 200 })
  await repeat(health, { times: 500 })
  const quiet = await repeat(health, { times: 500 })
  report.value('/health on the quiet server: p99', quiet.p99Ms, 'ms')
  const stop = new AbortController()
  const url = `${server.url}/api/certificates/verify?mode=test`
  let sent = 0
  const attack = async (_: unknown, at: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, localAddress: `127.0.0.${at + 2}` })
    for (let count = 0; !stop.signal.aborted; count += 1) {
      const { type, body } = costlyFiles[count % costlyFiles.length] as CostlyFile
      await send(url, { headers: { 'content-type': type }, body, agent })
      sent += 1
    }
  }
  const attackers = Promise.all(Array.from({ length: 10 }, attack))
  await Promise.race([attackers, pause(3_000)])
  const { p50Ms, p99Ms } = await repeat(health, { ms: 15_000 })
  stop.abort()
  await attackers
  const note = `p50 ${p50Ms.toFixed(1)} ms; ${sent} costly files`
  report.value('/health while ten addresses send costly files: p99', p99Ms, 'ms', { atMost: 20, note })
}
