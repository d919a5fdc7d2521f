/** The part of MQTT 3.1.1 that a page needs: it connects, subscribes with QoS 0 and receives. */

export type Message = { readonly topic: string; readonly payload: string }

export type Options = {
  readonly url: string
  readonly clientId: string
  readonly username: string
  readonly password: string
  readonly topics: readonly string[]
  readonly onReady: () => void
  readonly onMessage: (message: Message) => void
  /** The reason if the server refused the connection, otherwise undefined. */
  readonly onClosed: (refusal: number | undefined) => void
}

const connect = 0x10
const connected = 2
const publish = 3
const subscribe = 0x82
const subscribed = 9
const ping = new Uint8Array([0xc0, 0])
const keepAliveSeconds = 30

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const text = (value: string): number[] => {
  const bytes = encoder.encode(value)
  return [bytes.length >> 8, bytes.length & 0xff, ...bytes]
}

/** Seven bits a byte, the highest says that more follow (§2.2.3). */
const length = (value: number): number[] => {
  const bytes: number[] = []
  let rest = value
  do {
    const low = rest % 128
    rest = Math.floor(rest / 128)
    bytes.push(rest > 0 ? low | 0x80 : low)
  } while (rest > 0)
  return bytes
}

const packet = (type: number, body: readonly number[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array([type, ...length(body.length), ...body])

const cleanSessionWithCredentials = 0b1100_0010

export const connectPacket = ({ clientId, username, password }: Options) =>
  packet(connect, [
    ...text('MQTT'),
    4,
    cleanSessionWithCredentials,
    0,
    keepAliveSeconds,
    ...text(clientId),
    ...text(username),
    ...text(password),
  ])

export const subscribePacket = (topics: readonly string[]) =>
  packet(subscribe, [0, 1, ...topics.flatMap((topic) => [...text(topic), 0])])

type Packet = { readonly type: number; readonly body: Uint8Array }

/** Returns the packets that are complete, and the bytes that are not. */
export const readPackets = (bytes: Uint8Array): { packets: Packet[]; rest: Uint8Array } => {
  const packets: Packet[] = []
  let at = 0
  for (;;) {
    let size = 0
    let digits = 0
    let byte: number | undefined
    do {
      byte = bytes[at + 1 + digits]
      if (byte === undefined) return { packets, rest: bytes.subarray(at) }
      size += (byte & 0x7f) * 128 ** digits
      digits += 1
    } while ((byte & 0x80) !== 0)
    const end = at + 1 + digits + size
    if (end > bytes.length) return { packets, rest: bytes.subarray(at) }
    packets.push({ type: (bytes[at] ?? 0) >> 4, body: bytes.subarray(at + 1 + digits, end) })
    at = end
  }
}

/** A message of QoS 0, which has no packet number. */
export const readMessage = (body: Uint8Array): Message => {
  const topicEnd = 2 + ((body[0] ?? 0) << 8) + (body[1] ?? 0)
  return {
    topic: decoder.decode(body.subarray(2, topicEnd)),
    payload: decoder.decode(body.subarray(topicEnd)),
  }
}

const join = (left: Uint8Array, right: Uint8Array): Uint8Array => {
  const joined = new Uint8Array(left.length + right.length)
  joined.set(left)
  joined.set(right, left.length)
  return joined
}

/** Opens a connection. Returns the function that closes it. */
export const openMqtt = (options: Options): (() => void) => {
  const socket = new WebSocket(options.url, 'mqtt')
  socket.binaryType = 'arraybuffer'
  let rest: Uint8Array = new Uint8Array()
  let refusal: number | undefined
  const pings = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.send(ping)
  }, keepAliveSeconds * 500)
  const receive = ({ type, body }: Packet) => {
    if (type === publish) options.onMessage(readMessage(body))
    if (type === subscribed) options.onReady()
    if (type !== connected) return
    if (body[1] === 0) socket.send(subscribePacket(options.topics))
    else refusal = body[1]
  }
  socket.addEventListener('open', () => socket.send(connectPacket(options)))
  socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
    const read = readPackets(join(rest, new Uint8Array(data)))
    rest = read.rest
    for (const each of read.packets) receive(each)
  })
  socket.addEventListener('close', () => {
    clearInterval(pings)
    options.onClosed(refusal)
  })
  return () => {
    clearInterval(pings)
    socket.close()
  }
}
