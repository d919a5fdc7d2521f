import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { IncomingMessage, type IncomingHttpHeaders } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { pipeline, type Duplex } from 'node:stream'
import { refuseUpgrade } from '../../../lib/upgrade-routes.ts'
import { startDeadline } from '../../../lib/deadline.ts'

/** The first line that a process sends with a WebSocket that it passes on. */
type Introduction = {
  readonly address: string | undefined
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
}

export type Upgrade = {
  readonly request: IncomingMessage
  readonly socket: Duplex
  /** What arrived after the request. */
  readonly head: Buffer
}

export type PassedOn = Upgrade & { readonly address: string | undefined }

/** Node accepts 16 KiB of headers; JSON escapes some of their characters. */
const maxIntroduction = 128 * 1_024
const introductionMs = 5_000

/** Passes a WebSocket whose handshake is not answered yet to the process that is the broker. */
export const passOn = (path: string, { request, socket, head }: Upgrade): void => {
  const { method, url, headers } = request
  const introduction: Introduction = { address: request.socket.remoteAddress, method, url, headers }
  const other = connect(path)
  let isConnected = false
  other.once('connect', () => {
    isConnected = true
    other.write(`${JSON.stringify(introduction)}\n`)
    other.write(head)
    // An error ends both; there is nobody to tell.
    pipeline(socket, other, () => {})
    pipeline(other, socket, () => {})
  })
  other.on('error', () => {
    if (!isConnected) refuseUpgrade(socket, '503 Service Unavailable')
  })
}

/** Takes over WebSockets that other processes pass on, until it is disposed of. */
export const receivePassedOn = async (
  path: string,
  onPassedOn: (passedOn: PassedOn) => void,
): Promise<AsyncDisposable> => {
  // The process that was the broker before may have been killed.
  await rm(path, { force: true })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    readIntroduction(socket, onPassedOn)
  })
  await once(server.listen({ path, exclusive: true }), 'listening')
  return {
    [Symbol.asyncDispose]: () =>
      new Promise((done) => {
        server.close(() => done())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const readIntroduction = (socket: Socket, onPassedOn: (passedOn: PassedOn) => void): void => {
  let received = Buffer.alloc(0)
  const deadline = startDeadline(introductionMs, () => socket.destroy()).unref()
  socket.once('close', () => deadline[Symbol.dispose]())
  const receive = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk])
    const end = received.indexOf(10)
    if (end < 0) {
      if (received.length > maxIntroduction) socket.destroy()
      return
    }
    socket.off('data', receive)
    deadline[Symbol.dispose]()
    const { address, ...request } = JSON.parse(received.toString('utf8', 0, end)) as Introduction
    onPassedOn({
      request: Object.assign(new IncomingMessage(socket), request),
      socket,
      head: received.subarray(end + 1),
      address,
    })
  }
  socket.on('data', receive)
}
