import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { refuseUpgrade } from '../../../lib/upgrade-routes.ts'
import type { PassedOn } from './relay.ts'

export const webSocketPath = '/ws/mqtt'

const maxFrameBytes = 16 * 1024
const subprotocols = ['mqtt', 'mqttv3.1']

/**
 * Accepts MQTT over WebSocket. The origin of a page is not checked, because a client authenticates by the token in its
 * CONNECT, which a browser does not add automatically.
 */
export const createWebSocketAcceptor = ({
  isBroker,
  onStream,
}: {
  /** While it is not, the upgrade is refused with 503: a proxy then tries the next process. */
  readonly isBroker: () => boolean
  /** False if there are too many clients. */
  readonly onStream: (stream: Duplex, address: string | undefined) => boolean
}): ((upgrade: PassedOn) => void) => {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => subprotocols.find((known) => offered.has(known)) ?? false,
  })
  return ({ request, socket, head, address }) => {
    if (!offersMqtt(request)) return refuseUpgrade(socket, '400 Bad Request')
    if (!isBroker()) return refuseUpgrade(socket, '503 Service Unavailable')
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const stream = createWebSocketStream(webSocket)
      stream.on('error', () => stream.destroy())
      if (!onStream(stream, address)) webSocket.close(tryAgainLater)
    })
  }
}

/** RFC 6455 §7.4.1, as IANA lists it. */
const tryAgainLater = 1013

const offersMqtt = ({ headers }: IncomingMessage): boolean =>
  (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .some((offered) => subprotocols.includes(offered.trim()))
