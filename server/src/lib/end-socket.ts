import type { Duplex } from 'node:stream'
import { startDeadline } from './deadline.ts'

/** Enough for a client to read the answer and to close its side. */
const lingerMs = 2_000

/** Sends the last of a connection. A client that does not close its side would otherwise keep it open for ever. */
export const endSocket = (socket: Duplex, last: string): void => {
  socket.end(last)
  const deadline = startDeadline(lingerMs, () => socket.destroy()).unref()
  socket.once('close', () => deadline[Symbol.dispose]())
}
