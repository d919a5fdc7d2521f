import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { openTestDatabase } from '../../test/database.ts'
import { eventually } from '../../test/eventually.ts'
import { addressOf, startTestServer } from '../../test/test-server.ts'
import { startServer } from '../../test/server-process.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'

/** How long the leaving server takes requests after it has said that it is not ready. */
const drainMs = 4_000

/**
 * Like a load balancer: checks the readiness of each server and sends requests only to ready ones. What it was told half a
 * drain ago it does not believe, so it sends nothing late after this process stood still.
 */
const watchReadiness = (urls: readonly string[]) => {
  const readyAtMs = new Map<string, number>()
  const timer = setInterval(() => {
    for (const url of urls) {
      const askedMs = performance.now()
      fetch(`${url}/api/ready`)
        .then((response) => (response.ok ? readyAtMs.set(url, askedMs) : readyAtMs.delete(url)))
        .catch(() => readyAtMs.delete(url))
    }
  }, 50)
  return {
    ready: () => urls.filter((url) => performance.now() - (readyAtMs.get(url) ?? -drainMs) < drainMs / 2),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

const request = (url: string, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    get(`${url}/api/users/confirm-email?token=${'x'.repeat(43)}`, { agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    }).once('error', reject)
  })

describe('stopping a server', () => {
  test('by SIGTERM, one of two under load, fails no request and ends the process with code 0', async (t) => {
    await using database = await openTestDatabase()
    await using folder = await makeTemporaryFolder()
    const environment = {
      DATABASE_URL: addressOf(database),
      MILLSEAL_DATA_DIR: folder.path,
      MILLSEAL_DRAIN_MS: String(drainMs),
    }
    await using staying = await startServer(environment)
    await using leaving = await startServer(environment)
    using balancer = watchReadiness([staying.url, leaving.url])
    const agent = new Agent({ keepAlive: true })
    const answers = new Map<number, number>()
    const failures: string[] = []
    const clientsEnd = new AbortController()
    t.after(() => clientsEnd.abort())
    const client = async () => {
      for (let index = 0; !clientsEnd.signal.aborted; index += 1) {
        const urls = balancer.ready()
        const url = urls[index % urls.length] ?? staying.url
        await request(url, agent).then(
          (status) => answers.set(status, (answers.get(status) ?? 0) + 1),
          (error: unknown) =>
            failures.push(`${url === leaving.url ? 'leaving' : 'staying'}: ${String(error)}`),
        )
      }
    }
    // No more than connections to the database, for which a request waits only 5 s.
    const clients = Array.from({ length: 8 }, client)
    const served = () => [...answers.values()].reduce((sum, count) => sum + count, 0)
    const reached = (count: number) =>
      eventually(() => served() >= count, {
        what: () => `${served()} of ${count} answers; ${failures.at(-1)}`,
        everyMs: 5,
      })
    await reached(500)
    leaving.child.kill('SIGTERM')
    const [code] = await once(leaving.child, 'exit')
    await reached(served() + 500)
    clientsEnd.abort()
    await Promise.all(clients)
    agent.destroy()
    t.diagnostic(`${served()} requests, ${failures.length} failed`)
    assert.deepEqual(failures, [])
    assert.deepEqual([...answers.keys()], [401])
    assert.equal(code, 0)
  })

  test('does not wait for a client that never reads', async () => {
    const server = await startTestServer()
    const { hostname, port } = new URL(server.url)
    const socket = connect({ host: hostname, port: Number(port) })
    await once(socket, 'connect')
    socket.pause()
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(8))
    await eventually(() => socket.readableLength > 0, { what: 'the start of the first answer' })
    await server[Symbol.asyncDispose]()
    socket.destroy()
  })
})
