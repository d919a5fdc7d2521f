import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type MqttSocket = { readonly socket: Socket; readonly onMessage: (handler: () => void) => void }

type Options = {
  readonly url: string
  readonly clientId: string
  readonly username: string
  readonly password: string
  readonly filter: string
}

const connackLength = 4
const suback = 0x90
const publish = 0x30

/** The least that is a subscriber (MQTT 3.1.1): a client library would weigh more than what is measured. */
export const openMqttSocket = async (options: Options): Promise<MqttSocket> => {
  const { hostname, port } = new URL(options.url)
  const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname)
  let handler = (): void => {}
  await once(socket, 'connect')
  socket.write(connectPacket(options))
  await answer(socket, connackLength)
  socket.write(subscribePacket(options.filter))
  await answer(socket, suback)
  socket.on('data', (chunk: Buffer) => {
    let at = 0
    while (at < chunk.length) {
      const first = chunk[at] ?? 0
      const { length, size } = remaining(chunk, at + 1)
      if ((first & 0xf0) === publish) {
        const topicLength = chunk.readUInt16BE(at + 1 + size)
        const id = at + 1 + size + 2 + topicLength
        socket.write(Buffer.concat([Buffer.from([0x40, 2]), chunk.subarray(id, id + 2)]))
        handler()
      }
      at += 1 + size + length
    }
  })
  return {
    socket,
    onMessage: (given) => {
      handler = given
    },
  }
}

/** A code other than zero in CONNACK, or a refusal in SUBACK, is the last byte of either. */
const answer = async (socket: Socket, what: number): Promise<void> => {
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  const code = chunk.at(-1) ?? 0
  if (code > 2)
    throw new Error(`The broker refused ${what === suback ? 'to be listened to' : 'to connect'}: ${code}`)
}

const remaining = (chunk: Buffer, from: number): { length: number; size: number } => {
  let length = 0
  for (let size = 1; ; size += 1) {
    const digit = chunk[from + size - 1] ?? 0
    length += (digit & 0x7f) * 128 ** (size - 1)
    if (digit < 0x80) return { length, size }
  }
}

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value, 'utf8')
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
}

const packet = (type: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  const digits: number[] = []
  for (let left = body.length; left > 0 || digits.length === 0; left = Math.floor(left / 128)) {
    digits.push((left % 128) + (left >= 128 ? 128 : 0))
  }
  return Buffer.concat([Buffer.from([type, ...digits]), body])
}

/** A session that is kept, and no keepalive. */
const connectPacket = ({ clientId, username, password }: Options): Buffer =>
  packet(0x10, text('MQTT'), Buffer.from([4, 0xc0, 0, 0]), text(clientId), text(username), text(password))

const subscribePacket = (filter: string): Buffer =>
  packet(0x82, Buffer.from([0, 1]), text(filter), Buffer.from([1]))
