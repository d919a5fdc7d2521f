import type { Duplex } from 'node:stream'

/** Enough for a client to read the answer and to close its side. */
const lingerMs = 2_000

/** Sends the last of a connection. A client that does not close its side would otherwise keep it open for ever. */
export const endSocket = (socket: Duplex, last: string): void => {
  socket.end(last)
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
}
