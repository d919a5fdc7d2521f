import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { endSocket } from './end-socket.ts'

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void
type Upgrading = Pick<Server, 'on'>

const routesOf = new WeakMap<Upgrading, Map<string, UpgradeHandler>>()

/** Handles WebSockets of this path. Other paths get 404, so no socket stays open without a handler. */
export const routeUpgrade = (server: Upgrading, path: string, handler: UpgradeHandler): void => {
  const routes = routesOf.get(server) ?? listen(server)
  routes.set(path, handler)
}

const listen = (server: Upgrading): Map<string, UpgradeHandler> => {
  const routes = new Map<string, UpgradeHandler>()
  routesOf.set(server, routes)
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const [path = ''] = (request.url ?? '').split('?', 1)
    const handler = routes.get(path.length > 1 ? path.replace(/\/$/, '') : path)
    if (handler === undefined) refuseUpgrade(socket, '404 Not Found')
    else handler(request, socket, head)
  })
  return routes
}

export const refuseUpgrade = (socket: Duplex, status: string): void => {
  endSocket(socket, `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
