import { number, type Source } from './source.ts'

/** Bytes that grow at their end. Most of a file is written here, because strings would be copied several times. */
export class ByteWriter {
  #bytes: Uint8Array
  #length = 0

  constructor(capacity = 8_192) {
    this.#bytes = new Uint8Array(capacity)
  }

  get length(): number {
    return this.#length
  }

  /** What was written, in the memory of the writer. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  bytes(part: Uint8Array): void {
    this.#reserve(part.length)
    this.#bytes.set(part, this.#length)
    this.#length += part.length
  }

  /** A source has only ASCII, so each character is a byte. */
  source(source: Source): void {
    const { length } = source
    this.#reserve(length)
    const bytes = this.#bytes
    let at = this.#length
    for (let index = 0; index < length; index += 1) bytes[at++] = source.charCodeAt(index)
    this.#length = at
  }

  /** Replaces what was written there by as many bytes. */
  overwrite(from: number, source: Source): void {
    for (let index = 0; index < source.length; index += 1)
      this.#bytes[from + index] = source.charCodeAt(index)
  }

  /** The same as the source of the number. */
  number(value: number): void {
    const hundredths = Math.round(value * 100)
    if (hundredths < 0 || hundredths >= mostHundredths) {
      this.source(number(value))
      return
    }
    const whole = (hundredths / 100) | 0
    const fraction = hundredths - 100 * whole
    this.integer(whole)
    if (fraction === 0) return
    this.#reserve(3)
    const tenths = (fraction / 10) | 0
    const rest = fraction - 10 * tenths
    this.#bytes[this.#length++] = point
    this.#bytes[this.#length++] = zero + tenths
    if (rest > 0) this.#bytes[this.#length++] = zero + rest
  }

  /** With a space between. */
  numbers(...values: readonly number[]): void {
    for (let index = 0; index < values.length; index += 1) {
      if (index > 0) this.source(' ')
      this.number(values[index] ?? 0)
    }
  }

  /** Not negative, and less than 2^31. */
  integer(value: number): void {
    let digits = 1
    for (let limit = 10; value >= limit; limit *= 10) digits += 1
    this.#reserve(digits)
    const end = this.#length + digits
    let rest = value
    for (let at = end - 1; at >= this.#length; at -= 1) {
      const tens = (rest / 10) | 0
      this.#bytes[at] = zero + rest - 10 * tens
      rest = tens
    }
    this.#length = end
  }

  /** Four hexadecimal digits. */
  hex4(value: number): void {
    this.#reserve(4)
    for (let shift = 12; shift >= 0; shift -= 4)
      this.#bytes[this.#length++] = hexDigits.charCodeAt((value >> shift) & 15)
  }

  /** The UTF-16 code units of a text in hexadecimal. */
  utf16(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.hex4(text.charCodeAt(at))
  }

  /** A number of two bytes inside the parentheses of a string. */
  twoBytes(value: number): void {
    this.#byteOfString(value >> 8)
    this.#byteOfString(value & 0xff)
  }

  /** A byte that is not ASCII, or would end or change in a string, is escaped (ISO 32000-1, 7.3.4.2). */
  #byteOfString(byte: number): void {
    this.#reserve(4)
    if (isSafe[byte] === 1) {
      this.#bytes[this.#length++] = byte
      return
    }
    this.#bytes[this.#length++] = backslash
    this.#bytes[this.#length++] = zero + (byte >> 6)
    this.#bytes[this.#length++] = zero + ((byte >> 3) & 7)
    this.#bytes[this.#length++] = zero + (byte & 7)
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length))
    larger.set(this.written)
    this.#bytes = larger
  }
}

const [zero, point, backslash] = [0x30, 0x2e, 0x5c]
const hexDigits = '0123456789abcdef'
const mostHundredths = 2 ** 31
const isSafe = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > 126 || '()\\\r\n'.includes(String.fromCharCode(byte)) ? 0 : 1,
)
