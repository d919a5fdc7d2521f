import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { refuseUpgrade, routeUpgrade } from '../../../lib/upgrade-routes.ts'
import type { LedgerFaceSource } from '../../../ports/ledger/ledger-face.ts'
import { startDeadline } from '../../../lib/deadline.ts'

const maxListeners = 256
const heartbeatMs = 30_000
/** A client that is this far behind is disconnected. */
const maxUnsentBytes = 1024 * 1024

/** Sends one message for each new transaction of the log; ignores messages from clients. */
export const serveStream = (
  server: FastifyInstance,
  { path, ledger }: { readonly path: string; readonly ledger: () => LedgerFaceSource },
): void => {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1_024, perMessageDeflate: false })
  routeUpgrade(server.server, path, (request, socket, head) => {
    if (sockets.clients.size >= maxListeners) return refuseUpgrade(socket, '503 Service Unavailable')
    sockets.handleUpgrade(request, socket, head, (webSocket) => sendCommitted(webSocket, ledger()))
  })
  const heartbeat = setInterval(() => {
    for (const client of sockets.clients) if (client.listenerCount('pong') === 0) expectPong(client)
  }, heartbeatMs)
  heartbeat.unref()
  // Fastify waits for open sockets when it closes, and these never end by themselves.
  server.addHook('preClose', async () => {
    clearInterval(heartbeat)
    for (const client of sockets.clients) client.terminate()
  })
}

const sendCommitted = (webSocket: WebSocket, ledger: LedgerFaceSource): void => {
  const closed = new AbortController()
  webSocket.on('error', () => webSocket.terminate())
  webSocket.on('close', () => closed.abort())
  ledger.onCommitted(({ transactionId, assetId, height }) => {
    if (webSocket.bufferedAmount > maxUnsentBytes) return webSocket.terminate()
    webSocket.send(JSON.stringify({ height, asset_id: assetId, transaction_id: transactionId }))
  }, closed.signal)
}

const expectPong = (client: WebSocket): void => {
  const deadline = startDeadline(heartbeatMs, () => client.terminate()).unref()
  client.once('pong', () => deadline[Symbol.dispose]())
  client.once('close', () => deadline[Symbol.dispose]())
  client.ping()
}
