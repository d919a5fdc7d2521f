import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { refuseUpgrade, routeUpgrade } from '../../../lib/upgrade-routes.ts'

export const webSocketPath = '/ws/mqtt'

const maxFrameBytes = 16 * 1024
const subprotocols = ['mqtt', 'mqttv3.1']

/**
 * MQTT over WebSocket on the port of the API. The origin of a page is not checked, because a client authenticates by the
 * token in its CONNECT, which a browser does not add automatically.
 */
export const serveWebSocket = (
  server: Pick<Server, 'on'>,
  onStream: (stream: Duplex, request: IncomingMessage) => boolean,
): void => {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => subprotocols.find((known) => offered.has(known)) ?? false,
  })
  routeUpgrade(server, webSocketPath, (request, socket, head) => {
    if (!offersMqtt(request)) return refuseUpgrade(socket, '400 Bad Request')
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const stream = createWebSocketStream(webSocket)
      stream.on('error', () => stream.destroy())
      if (!onStream(stream, request)) webSocket.close(tryAgainLater)
    })
  })
}

/** RFC 6455 §7.4.1, as IANA lists it. */
const tryAgainLater = 1013

const offersMqtt = ({ headers }: IncomingMessage): boolean =>
  (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .some((offered) => subprotocols.includes(offered.trim()))
