import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { refuseUpgrade, routeUpgrade } from '../../../lib/upgrade-routes.ts'
import type { LedgerFaceSource } from '../../../ports/ledger/ledger-face.ts'

const mostListeners = 256
const heartbeatMs = 30_000
/** Whoever is this far behind will not catch up. */
const mostUnsentBytes = 1024 * 1024

/** One message for each transaction that the log takes from now on; what listeners say is ignored. */
export const serveStream = (
  server: FastifyInstance,
  { path, ledger }: { readonly path: string; readonly ledger: () => LedgerFaceSource },
): void => {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1_024, perMessageDeflate: false })
  routeUpgrade(server.server, path, (request, socket, head) => {
    if (sockets.clients.size >= mostListeners) return refuseUpgrade(socket, '503 Service Unavailable')
    sockets.handleUpgrade(request, socket, head, (webSocket) => attend(webSocket, ledger()))
  })
  const heartbeat = setInterval(() => {
    for (const client of sockets.clients) if (client.listenerCount('pong') === 0) expectPong(client)
  }, heartbeatMs)
  heartbeat.unref()
  // A server that closes waits for sockets, and these would stay for ever.
  server.addHook('preClose', async () => {
    clearInterval(heartbeat)
    for (const client of sockets.clients) client.terminate()
  })
}

const attend = (webSocket: WebSocket, ledger: LedgerFaceSource): void => {
  const gone = new AbortController()
  webSocket.on('error', () => webSocket.terminate())
  webSocket.on('close', () => gone.abort())
  ledger.onCommitted(({ transactionId, assetId, height }) => {
    if (webSocket.bufferedAmount > mostUnsentBytes) return webSocket.terminate()
    webSocket.send(JSON.stringify({ height, asset_id: assetId, transaction_id: transactionId }))
  }, gone.signal)
}

const expectPong = (client: WebSocket): void => {
  const silence = setTimeout(() => client.terminate(), heartbeatMs)
  silence.unref()
  client.once('pong', () => clearTimeout(silence))
  client.once('close', () => clearTimeout(silence))
  client.ping()
}
