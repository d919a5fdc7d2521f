import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer as createTlsServer } from 'node:tls'
import { type PortSetting, portInUse } from '../../../lib/port-in-use.ts'

export type Address = { readonly host: string; readonly port: number }
export type Certificate = { readonly key: string; readonly certificate: string }
export type ListenAddresses = {
  /** Without encryption, for this machine only. */
  readonly plain: Address | undefined
  readonly tls: (Address & Certificate) | undefined
}
export type Listeners = AsyncDisposable & {
  readonly plainPort: number | undefined
  readonly tlsPort: number | undefined
}

const handshakeTimeoutMs = 5_000
const keepAliveMs = 60_000

/** Opens all listeners, or none. */
export const openListeners = async (
  { plain, tls }: ListenAddresses,
  onSocket: (socket: Duplex, address: string | undefined) => void,
): Promise<Listeners> => {
  await using opened = new AsyncDisposableStack()
  const accept = (socket: Socket): void => {
    socket.on('error', () => socket.destroy())
    socket.setKeepAlive(true, keepAliveMs)
    socket.setNoDelay(true)
    onSocket(socket, socket.remoteAddress)
  }
  const open = async (setting: PortSetting, server: Server, address: Address): Promise<number> => {
    const close = closing(server)
    const port = await listen(setting, server, address)
    opened.defer(close)
    return port
  }
  const plainPort = plain && (await open('MILLSEAL_MQTT_PORT', createServer(accept), plain))
  const tlsPort =
    tls &&
    (await open(
      'MILLSEAL_MQTTS_PORT',
      createTlsServer(
        { key: tls.key, cert: tls.certificate, minVersion: 'TLSv1.2', handshakeTimeout: handshakeTimeoutMs },
        accept,
      ),
      tls,
    ))
  const stack = opened.move()
  return { plainPort, tlsPort, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const listen = async (setting: PortSetting, server: Server, { host, port }: Address): Promise<number> => {
  // Exclusive: only one of several processes with one port for HTTP serves MQTT.
  server.listen({ port, host, exclusive: true })
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') throw portInUse({ setting, host, port }, error)
    throw new Error(`${setting}: port ${port} on ${host} cannot be opened (${String(code ?? error)})`, {
      cause: error,
    })
  }
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** Also closes connections whose handshake is not finished. */
const closing = (server: Server): (() => Promise<void>) => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return () =>
    new Promise((done) => {
      server.close(() => done())
      for (const socket of sockets) socket.destroy()
    })
}
