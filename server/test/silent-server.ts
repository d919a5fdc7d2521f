import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** Accepts connections and answers nothing. */
export const startSilent = async () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => sockets.add(socket.on('error', () => {})))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  return {
    url: `http://localhost:${(silent.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      silent.close()
      await once(silent, 'close')
    },
  }
}
