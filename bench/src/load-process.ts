// Sends requests over keep-alive connections, in a process of its own. Started by load.ts.
import { connect } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import type { LoadOrder, LoadReport } from './load.ts'

const order: LoadOrder = JSON.parse(await text(process.stdin))
const { hostname, port, pathname, search } = new URL(order.url)

const histogram = createHistogram()
const statuses: Record<string, number> = {}
let sent = 0
let recording = false
let finished = false
let turn = 0
const beganAt = performance.now()

const bodies = order.bodies.map((body) => Buffer.from(body))
const head = [
  `${order.method} ${pathname}${search} HTTP/1.1`,
  `host: ${hostname}:${port}`,
  ...Object.entries(order.headers).map(([name, value]) => `${name}: ${value}`),
  ...(bodies.length === 0 ? [] : ['content-type: application/json']),
].join('\r\n')

const nextRequest = (): Buffer => {
  const body = bodies[sent % bodies.length]
  sent += 1
  const { uniqueHeader } = order
  const length = body === undefined ? '' : `\r\ncontent-length: ${body.length}`
  const unique =
    uniqueHeader === undefined ? '' : `\r\n${uniqueHeader}: ${process.pid}-${sent}-${'x'.repeat(16)}`
  return Buffer.concat([Buffer.from(`${head}${length}${unique}\r\n\r\n`), body ?? Buffer.alloc(0)])
}

/** The length and status of the first answer in these bytes; undefined until it is complete. */
const readAnswer = (received: Buffer): { length: number; status: string } | undefined => {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const answerHead = received.toString('latin1', 0, headEnd)
  const bodyLength = /\r\ncontent-length: *(\d+)/i.exec(answerHead)?.[1]
  if (bodyLength === undefined) throw new Error('An answer has no content-length')
  const length = headEnd + 4 + Number(bodyLength)
  return received.length < length ? undefined : { length, status: answerHead.slice(9, 12) }
}

const converse = (): void => {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let received: Buffer = Buffer.alloc(0)
  let sentAt = 0
  const send = (): void => {
    sentAt = performance.now()
    if (order.perSecond === undefined) {
      socket.write(nextRequest())
      return
    }
    // A request that is sent late counts from when it was due.
    sentAt = beganAt + (turn * 1_000) / order.perSecond
    turn += 1
    setTimeout(() => socket.write(nextRequest()), Math.max(0, sentAt - performance.now()))
  }
  socket.on('connect', send)
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const answer = readAnswer(received)
    if (answer === undefined) return
    received = received.subarray(answer.length)
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    if (recording) histogram.record(Math.max(1, Math.round((performance.now() - sentAt) * 1_000)))
    if (finished) socket.destroy()
    else send()
  })
  const fail = (reason: string): void => {
    if (finished) return
    process.stderr.write(`load: ${reason}\n`)
    process.exit(1)
  }
  socket.on('error', ({ message }) => fail(message))
  socket.on('close', () => fail('a connection was closed'))
}

const report = (startedAt: number): void => {
  const perSecond = (histogram.count * 1_000) / (performance.now() - startedAt)
  recording = false
  finished = true
  const { user, system } = process.cpuUsage()
  const result: LoadReport = {
    perSecond,
    p50Ms: histogram.percentile(50) / 1_000,
    p99Ms: histogram.percentile(99) / 1_000,
    statuses,
    cpuSeconds: (user + system) / 1_000_000,
  }
  process.stdout.write(JSON.stringify(result))
}

for (let connection = 0; connection < order.connections; connection += 1) converse()
setTimeout(() => {
  recording = true
  setTimeout(report, order.ms, performance.now())
}, order.warmUpMs)
