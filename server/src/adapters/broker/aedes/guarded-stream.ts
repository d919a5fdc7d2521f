import type { Duplex } from 'node:stream'
import { createPacketMeter } from './packet-meter.ts'

/** Clients only subscribe, so they never need longer packets. */
const maxPacketBytes = 8 * 1024

/** Closes a connection at the header of a packet that is too long. A wrapping stream would take 10 kB for each client. */
export const guardStream = <S extends Duplex>(stream: S): S => {
  const accepts = createPacketMeter(maxPacketBytes)
  const read = stream.read.bind(stream)
  stream.read = (size?: number): unknown => {
    const chunk: unknown = read(size)
    if (!(chunk instanceof Uint8Array) || accepts(chunk)) return chunk
    stream.destroy()
    return null
  }
  return stream
}
