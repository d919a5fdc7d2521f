import type { Client } from 'aedes'
import { type Deadline, startDeadline } from '../../../lib/deadline.ts'

const connectTimeoutMs = 5_000

/**
 * Ends a connection whose client does not introduce itself, or is silent for one and a half times its keep-alive (MQTT 3.1.1
 * §3.1.2.10). The timers of aedes would end those of a process that was stopped before their packets are read.
 */
export const endIfSilent = (client: Client): void => {
  const { _parser: parser } = client as unknown as { _parser: NodeJS.EventEmitter }
  const endAfter = (ms: number): Deadline => startDeadline(ms, () => client.conn.destroy()).unref()
  let deadline: Deadline | undefined = endAfter(connectTimeoutMs)
  let silenceMs = 0
  const settle = (): void => {
    deadline?.[Symbol.dispose]()
    deadline = undefined
  }
  parser.prependListener('packet', (packet: { readonly cmd: string; keepalive?: number }) => {
    settle()
    if (packet.cmd === 'connect') {
      silenceMs = (packet.keepalive ?? 0) * 1_500
      packet.keepalive = 0
    }
    if (silenceMs > 0 && !client.conn.destroyed) deadline = endAfter(silenceMs)
  })
  client.conn.once('close', settle)
}
