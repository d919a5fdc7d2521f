import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Latency, latencyOf, type Rate, rateOf } from './rounds.ts'

export type Load = {
  /** Of the server. */
  readonly pid: number
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** POSTed one after the other, again and again; without, the requests are GET. */
  readonly bodies?: readonly string[]
  /** Every answer must have it. */
  readonly status?: number
  /** Over all clients; by default each client sends its next request when it has its answer. */
  readonly perSecond?: number
  readonly clients?: number
  readonly warmUpMs?: number
  readonly ms?: number
}

/** 50 clients over keep-alive connections, for a second and a half by default, from this process. */
export const load = async (order: Load): Promise<Rate & Latency> => {
  const { pid, url, status = 200, perSecond = Number.POSITIVE_INFINITY } = order
  const { clients = 50, warmUpMs = 200, ms = 1_500 } = order
  const { hostname, port } = new URL(url)
  const requests = requestsOf(order)
  const beganAt = performance.now()
  let [durations, turn, isFinished]: [number[], number, boolean] = [[], 0, false]
  const converse = (): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    let received: Buffer = Buffer.alloc(0)
    let sentAt = 0
    const send = (): void => {
      const request = requests[turn % requests.length] ?? ''
      const dueAt = beganAt + (turn * 1_000) / perSecond
      turn += 1
      // A request that is sent late counts from when it was due.
      sentAt = perSecond < Number.POSITIVE_INFINITY ? dueAt : performance.now()
      if (sentAt <= performance.now()) socket.write(request)
      else setTimeout(() => socket.write(request), sentAt - performance.now())
    }
    socket.on('connect', send)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const answer = readAnswer(received)
      if (answer === undefined) return
      received = received.subarray(answer.length)
      durations.push(performance.now() - sentAt)
      if (answer.status !== status) reject(new Error(`${url} answered ${answer.status}, expected ${status}`))
      else if (isFinished) resolve(void socket.destroy())
      else send()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`${url} closed a connection`)))
    return promise
  }
  const conversations = Promise.all(Array.from({ length: clients }, converse))
  await Promise.race([conversations, pause(warmUpMs)])
  durations = []
  const rate = await rateOf(async () => {
    await Promise.race([conversations, pause(ms)])
    return durations.length
  }, pid)
  const latency = latencyOf(durations)
  isFinished = true
  await conversations
  return { ...rate, ...latency }
}

const requestsOf = ({ url, headers = {}, bodies }: Load): Buffer[] => {
  const { host, pathname, search } = new URL(url)
  const fields = Object.entries({ host, 'content-type': 'application/json', ...headers })
  const lines = fields.map(([name, value]) => `\r\n${name}: ${value}`).join('')
  const head = `${pathname}${search} HTTP/1.1${lines}`
  if (bodies === undefined) return [Buffer.from(`GET ${head}\r\n\r\n`)]
  return bodies.map((body) =>
    Buffer.from(`POST ${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  )
}

/** The length and status of the first answer in these bytes; undefined until it is complete. */
const readAnswer = (received: Buffer): { length: number; status: number } | undefined => {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const head = received.toString('latin1', 0, headEnd)
  const bodyLength = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (bodyLength === undefined) throw new Error('An answer has no content-length')
  const length = headEnd + 4 + Number(bodyLength)
  return received.length < length ? undefined : { length, status: Number(head.slice(9, 12)) }
}
