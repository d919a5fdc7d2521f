import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { eventually } from './eventually.ts'

export type Received = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** By the clock of the machine. */
  readonly at: number
}

/** How a request is answered; `nth` counts from 1. */
export type Reaction = (given: {
  readonly request: Received
  readonly response: ServerResponse
  readonly nth: number
}) => void

export const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Reaction =>
  ({ response }) =>
    void response.writeHead(status, headers).end(body)

/** Reads the request and never answers. */
export const hang: Reaction = () => {}

/** Closes without an answer. */
export const close: Reaction = ({ response }) => void response.socket?.end()

/** Resets the connection. */
export const reset: Reaction = ({ response }) => void response.socket?.resetAndDestroy()

/** A byte every few milliseconds, for ever. */
export const drip: Reaction = ({ response }) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write('.'), 5)
  response.once('close', () => clearInterval(timer))
}

/** Sends data for ever, declared as compressed. */
export const bomb: Reaction = ({ response }) => {
  response.writeHead(200, { 'content-encoding': 'gzip' })
  const block = Buffer.alloc(64 * 1_024)
  const pour = (): void => {
    while (!response.destroyed && response.write(block));
  }
  response.on('drain', pour)
  pour()
}

export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly received: readonly Received[]
  /** Connections that were ever made to it. */
  readonly connections: () => number
  react(reaction: Reaction): void
  /** Resolves with all requests as soon as there are this many, within 20 seconds. */
  until(count: number): Promise<readonly Received[]>
}

export type ReceiverOptions = {
  readonly reaction?: Reaction
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** The endpoint of a receiver, well-behaved or not, on the loopback interface. */
export const startReceiver = async ({
  reaction = answer(200),
  tls,
}: ReceiverOptions = {}): Promise<Receiver> => {
  const received: Received[] = []
  let react = reaction
  let connections = 0
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    response.on('error', () => {})
    const chunks: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      const one = { path, headers, body: Buffer.concat(chunks), at: Date.now() }
      received.push(one)
      react({ request: one, response, nth: received.length })
    })
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hook`,
    port,
    received,
    connections: () => connections,
    react: (next) => {
      react = next
    },
    async until(count) {
      await eventually(() => received.length >= count, {
        what: () => `${received.length} of ${count} requests came`,
        everyMs: 5,
      })
      return received
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
