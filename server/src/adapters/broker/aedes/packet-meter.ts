/**
 * Reads the lengths that packets announce (MQTT 3.1.1 §2.2) without buffering. A packet that is too long is detected in its
 * first five bytes. Returns false for such a packet.
 */
export const createPacketMeter = (maxBytes: number): ((chunk: Uint8Array) => boolean) => {
  let bodyLeft = 0
  /** Digits of the length read so far. Undefined: the next byte begins a packet. */
  let digits: number | undefined
  let length = 0
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (bodyLeft > 0) {
        const skipped = Math.min(bodyLeft, chunk.length - at)
        bodyLeft -= skipped
        at += skipped
        continue
      }
      const byte = chunk[at] ?? 0
      at += 1
      if (digits === undefined) {
        digits = 0
        length = 0
        continue
      }
      length += (byte & 0x7f) * 128 ** digits
      digits += 1
      if (length > maxBytes || (digits === 4 && byte >= 0x80)) return false
      if (byte >= 0x80) continue
      bodyLeft = length
      digits = undefined
    }
    return true
  }
}
