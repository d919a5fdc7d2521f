import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createClient } from '@millseal/sdk'
import { eventually } from '../../test/eventually.ts'
import { connectMqtt } from '../../test/mqtt-client.ts'
import { isReady, pidOf, type SharedServer, startShared } from '../../test/shared-server.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/temporary-folder.ts'

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const get = (url: string, agent: Agent, requestId: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { 'x-request-id': requestId } }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    sent.once('error', reject).end()
  })

describe('one command with two processes', () => {
  let folder: TemporaryFolder
  let server: SharedServer
  before(async () => {
    folder = await makeTemporaryFolder()
    server = await startShared(folder.path)
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  })

  const broker = (): number =>
    3 - (server.lines.findLast(({ msg }) => msg.startsWith('another process is the broker'))?.process ?? 0)

  test('creates one operator, writes each log once and shows the metrics of both', async () => {
    assert.equal(server.errors.filter((line) => line.includes('Operator')).length, 1)
    const writers = server.lines.filter(({ msg }) => msg === 'this process writes the ledger')
    assert.equal(writers.length, 2, 'one for each mode')
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    for (const number of [1, 2])
      assert.match(
        metrics,
        new RegExp(`^millseal_process_resident_memory_bytes\\{process="${number}"\\} \\d`, 'm'),
      )
    assert.equal(metrics.match(/^# TYPE millseal_http_request_seconds /gm)?.length, 1)
  })

  test('has MQTT in one process, which every WebSocket reaches', async () => {
    const [, username = '', password = ''] =
      /Operator\s+(\S+), password (\S+)/.exec(server.errors.join('\n')) ?? []
    const { accessToken } = await createClient({ baseUrl: server.url }).login({
      body: { username, password },
    })
    const own = await createClient({ baseUrl: server.url, accessToken }).readBroker({})
    const subscriber = (url: string, name: string) =>
      connectMqtt({ url, username: own.username, password: accessToken, clientId: own.clientIdPrefix + name })
    await using tcp = await subscriber(own.mqttUrl.replace('localhost', '127.0.0.1'), 'tcp')
    assert.deepEqual(await tcp.subscribe(...own.topics), [1])
    // New connections go to both processes in turns.
    for (const name of ['first', 'second', 'third', 'fourth']) {
      await using client = await subscriber(own.wsUrl.replace('localhost', '127.0.0.1'), name)
      assert.deepEqual(await client.subscribe(...own.topics), [1])
    }
  })

  test('replaces a process killed with -9, without a failed request on the other', async () => {
    const killed = broker()
    const pid = pidOf(server, killed)
    const failed: string[] = []
    const answered = new Map<string, number>()
    const answeredMore = (names: readonly string[], turns: number): (() => boolean) => {
      const earlier = new Map(answered)
      return () => names.every((name) => (answered.get(name) ?? 0) >= (earlier.get(name) ?? 0) + turns)
    }
    const end = new AbortController()
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const connection = async (name: string): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (let turn = 0; !end.signal.aborted; turn += 1) {
        const id = `connection-${name}-${turn}`
        const status = await get(
          `${server.url}/api/users/confirm-email?token=${'x'.repeat(43)}`,
          agent,
          id,
        ).catch(() => failed.push(name) && undefined)
        if (status === undefined) continue
        assert.equal(status, 401)
        answered.set(name, (answered.get(name) ?? 0) + 1)
      }
      agent.destroy()
    }
    const connections = Promise.all(names.map(connection))
    const processOf = (name: string): number | undefined =>
      server.lines.find(({ requestId }) => requestId === `connection-${name}-0`)?.process
    await eventually(answeredMore(names, 10))
    await eventually(() => names.every(processOf))
    process.kill(pid, 'SIGKILL')
    await eventually(() => isReady(server.lines, 3), { what: 'the process that replaces it' })
    await eventually(answeredMore(names, 10), { what: 'an answer on every connection' })
    end.abort()
    await connections
    assert.ok(
      failed.every((name) => processOf(name) === killed),
      `${failed.join()} failed`,
    )
    assert.notEqual(pidOf(server, killed), pid)
    await eventually(() => server.lines.some(({ msg }) => msg.startsWith('a process ended unexpectedly')))
  })

  test('ends a connection whose process is killed before it accepts it', async () => {
    const pid = pidOf(server, 2)
    process.kill(pid, 'SIGSTOP')
    const url = new URL(server.url)
    const sockets = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const socket = connect(Number(url.port), url.hostname).on('error', () => {})
        await once(socket, 'connect')
        socket.end('GET /api/none HTTP/1.1\r\nhost: mill\r\nconnection: close\r\n\r\n')
        return socket.resume()
      }),
    )
    const isOpen = () => sockets.filter((socket) => !socket.closed)
    await eventually(() => isOpen().length === 1, { what: 'answers on all connections but one' })
    process.kill(pid, 'SIGKILL')
    await eventually(() => isOpen().length === 0, { what: 'the end of the last connection' })
    await eventually(() => isReady(server.lines, 4), { what: 'the process that replaces it' })
  })

  test('ends all processes on SIGTERM, with code 0', async () => {
    const pids = [1, 2].map((number) => pidOf(server, number))
    server.child.kill('SIGTERM')
    const [code] = await once(server.child, 'exit')
    assert.equal(code, 0)
    assert.deepEqual(pids.filter(isAlive), [])
    assert.equal(server.lines.filter(({ msg }) => msg === 'stopping').length, 3)
  })

  test('ends with a clear line if processes keep ending, and takes all with it', async () => {
    await using looping = await startShared(folder.path)
    const exited = once(looping.child, 'exit')
    const seen = new Set<number>([pidOf(looping, 1)])
    const killing = setInterval(() => {
      const pid = pidOf(looping, 2)
      if (seen.has(pid)) return
      seen.add(pid)
      if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    }, 5)
    const [code] = await exited
    clearInterval(killing)
    assert.equal(code, 1)
    assert.match(
      looping.errors.at(-1) ?? '',
      /^millseal: its processes ended 6 times in a row within a minute/,
    )
    assert.deepEqual([...seen].filter(isAlive), [])
  })
})
