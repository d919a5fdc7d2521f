import { Agent, request } from 'node:http'
import { costlyFiles } from '../../../server/test/attacks/costly-files.ts'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import { startServer } from '../product.ts'
import { repeat } from '../rounds.ts'
import type { Bench } from '../row.ts'

/** Ten addresses without a token send the most costly files that we know, one after the other, without a pause. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using server = await startServer(folder)
  const verify = `${server.url}/api/certificates/verify?mode=test`
  const health = async (): Promise<void> => {
    await (await fetch(`${server.url}/api/health`)).arrayBuffer()
  }
  const small = async (): Promise<void> => {
    const body = JSON.stringify(sampleCertificate())
    const answer = await fetch(verify, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    await answer.arrayBuffer()
  }
  await repeat(small, { times: 200 })
  const alone = await repeat(small, { times: 500 })
  report.value('a small certificate verified by its JSON, one after the other: p50', alone.p50Ms, 'ms')
  const quiet = await repeat(health, { times: 500 })
  report.value('/health on the quiet server: p99', quiet.p99Ms, 'ms')

  const stop = new AbortController()
  const attackers = Array.from({ length: 10 }, (_, at) => attack(verify, `127.0.0.${at + 2}`, stop.signal))
  await Promise.race([...attackers, new Promise((done) => setTimeout(done, 3_000))])
  const { p50Ms, p99Ms } = await repeat(health, { ms: 15_000 })
  const other = await repeat(small, { ms: 10_000 })
  stop.abort()
  const sent = (await Promise.all(attackers)).reduce((sum, count) => sum + count, 0)
  const note = `p50 ${p50Ms.toFixed(1)} ms; ${sent} costly files`
  report.value('/health while ten addresses send costly files: p99', p99Ms, 'ms', {
    goal: { atMost: 20 },
    note,
  })
  report.value('… a small certificate of another address: p50', other.p50Ms, 'ms')
}

const attack = async (url: string, localAddress: string, signal: AbortSignal): Promise<number> => {
  const agent = new Agent({ keepAlive: true, localAddress })
  let count = 0
  try {
    for (; !signal.aborted; count += 1) {
      const file = costlyFiles[count % costlyFiles.length]
      if (file !== undefined) await send(url, file, agent)
    }
  } finally {
    agent.destroy()
  }
  return count
}

const send = (url: string, { type, body }: (typeof costlyFiles)[number], agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers: { 'content-type': type } }, (answer) => {
      answer.resume()
      answer.once('end', resolve)
      if ((answer.statusCode ?? 500) >= 500) reject(new Error(`answered ${answer.statusCode}`))
    })
    sent.once('error', reject)
    sent.end(body)
  })
