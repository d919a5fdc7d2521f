import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { endSocket } from './end-socket.ts'

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void
type Upgrading = Pick<Server, 'on'>

const routesOf = new WeakMap<Upgrading, Map<string, UpgradeHandler>>()

/** Handles WebSockets of this path. */
export const routeUpgrade = (server: Upgrading, path: string, handler: UpgradeHandler): void => {
  const routes = routesOf.get(server) ?? listen(server)
  routes.set(path, handler)
}

/**
 * Whether a handler takes over the connection. Other upgrades are ignored (RFC 9110, 7.8), and their requests answered as
 * without: Java's HttpClient asks each server for HTTP/2.
 */
export const isUpgrade = (server: Upgrading, request: IncomingMessage): boolean =>
  /^websocket$/i.test(request.headers.upgrade ?? '') && handlerOf(server, request) !== undefined

const handlerOf = (server: Upgrading, { url = '' }: IncomingMessage): UpgradeHandler | undefined => {
  const [path = ''] = url.split('?', 1)
  return routesOf.get(server)?.get(path.length > 1 ? path.replace(/\/$/, '') : path)
}

const listen = (server: Upgrading): Map<string, UpgradeHandler> => {
  const routes = new Map<string, UpgradeHandler>()
  routesOf.set(server, routes)
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const handler = handlerOf(server, request)
    // Only Node before 24.9, which does not ask isUpgrade, comes here without one.
    if (handler === undefined) refuseUpgrade(socket, '404 Not Found')
    else handler(request, socket, head)
  })
  return routes
}

export const refuseUpgrade = (socket: Duplex, status: string): void => {
  endSocket(socket, `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
