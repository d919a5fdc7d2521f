const publish = 0x30
const repeated = 0x08
const idBytes = 2

/** A PUBLISH packet (MQTT 3.1.1 §3.3), encoded once for all clients that get it. */
export class Publication {
  readonly payload: Uint8Array
  readonly #topic: Buffer
  readonly #heads: { 0?: Buffer; 1?: Buffer } = {}

  constructor(topic: string, payload: Uint8Array) {
    this.#topic = Buffer.from(topic)
    this.payload = payload
  }

  /** What comes before the payload. With an `id`: quality 1. */
  head(id: number | undefined, isRepeated = false): Buffer {
    if (id === undefined) return (this.#heads[0] ??= this.#encode(0))
    const head = Buffer.from((this.#heads[1] ??= this.#encode(1)))
    // MQTT 3.1.1 §3.3.1.1: the flag DUP.
    if (isRepeated) head.writeUInt8(head.readUInt8() | repeated)
    head.writeUInt16BE(id, head.length - idBytes)
    return head
  }

  #encode(qos: 0 | 1): Buffer {
    const topicLength = Buffer.alloc(2)
    topicLength.writeUInt16BE(this.#topic.length)
    const fields = [topicLength, this.#topic, Buffer.alloc(qos * idBytes)]
    const length = fields.reduce((sum, field) => sum + field.length, this.payload.length)
    return Buffer.concat([Buffer.from([publish | (qos << 1), ...digitsOf(length)]), ...fields])
  }
}

/** MQTT 3.1.1 §2.2.3: seven bits in each byte, the lowest first. */
const digitsOf = (length: number): number[] =>
  length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...digitsOf(length >>> 7)]
