import type { Worker } from 'node:cluster'
import type { Server, Socket } from 'node:net'

type Internal = { readonly act?: string; readonly seq?: number; readonly ack?: number }

/**
 * Closes the connections that a process was given but had not accepted when it ended. node:cluster forgets them and
 * leaves them open, so that a client would wait for ever. Another process cannot take them: part of a request may
 * have been read.
 */
export const closeUnaccepted = (worker: Worker): void => {
  const unaccepted = new Map<number, { close(): void }>()
  const { process } = worker
  const send = process.send.bind(process)
  process.send = (message: Internal, handle?: unknown, ...rest: unknown[]): boolean => {
    if (message.act === 'newconn' && message.seq !== undefined && hasClose(handle)) {
      unaccepted.set(message.seq, handle)
    }
    return send(message, handle as Socket | Server | undefined, ...(rest as []))
  }
  process.on('internalMessage', ({ ack }: Internal) => {
    if (ack !== undefined) unaccepted.delete(ack)
  })
  worker.once('exit', () => {
    for (const connection of unaccepted.values()) connection.close()
    unaccepted.clear()
  })
}

const hasClose = (handle: unknown): handle is { close(): void } =>
  typeof handle === 'object' && handle !== null && 'close' in handle
