import { concatBytes, equalBytes } from './encoding/bytes.ts'
import { isSafePoint } from './identity/public-key.ts'
import type { Primitives, SignatureCheck } from './primitives.ts'

/**
 * The primitives in 2 kB, for the page that verifies: it must load quickly on a phone. They only verify, so their time
 * may depend on the values. Slower than noble for many bundles; tested to give the same results.
 */

const low64 = (value: bigint): bigint => BigInt.asUintN(64, value)

/** The first 64 bits of the fraction of the root of `prime`. */
const fractionOfRoot = (prime: number, power: bigint): bigint => {
  const wanted = BigInt(prime) << (64n * power)
  let root = 0n
  for (let bit = 1n << 72n; bit > 0n; bit >>= 1n) if ((root | bit) ** power <= wanted) root |= bit
  return low64(root)
}

/** FIPS 180-4 §4.2.3 and §5.3.5. Those of SHA-256 are their upper halves. */
const sha2Constants = (): { readonly start: readonly bigint[]; readonly rounds: readonly bigint[] } => {
  const primes: number[] = []
  for (let one = 2; primes.length < 80; one += 1)
    if (primes.every((prime) => one % prime !== 0)) primes.push(one)
  return {
    start: primes.slice(0, 8).map((prime) => fractionOfRoot(prime, 2n)),
    rounds: primes.map((prime) => fractionOfRoot(prime, 3n)),
  }
}
let constants: ReturnType<typeof sha2Constants> | undefined

/** FIPS 180-4 §5.1: a one, zeros, and the length in bits. */
const padded = (bytes: Uint8Array, block: number): DataView => {
  const length = Math.ceil((bytes.length + 1 + block / 8) / block) * block
  const message = new Uint8Array(length)
  message.set(bytes)
  message[bytes.length] = 0x80
  const view = new DataView(message.buffer)
  view.setBigUint64(length - 8, BigInt(bytes.length) * 8n)
  return view
}

const right = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** FIPS 180-4 §6.2. */
const sha256 = (bytes: Uint8Array): Uint8Array => {
  constants ??= sha2Constants()
  const upper = (value: bigint): number => Number(value >> 32n)
  const rounds = Int32Array.from(constants.rounds, upper)
  const view = padded(bytes, 64)
  const state = Int32Array.from(constants.start, upper)
  const words = new Int32Array(64)
  for (let at = 0; at < view.byteLength; at += 64) {
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    for (let t = 0; t < 64; t += 1) {
      const early = words[t - 15] ?? 0
      const late = words[t - 2] ?? 0
      words[t] =
        t < 16
          ? view.getInt32(at + 4 * t)
          : (words[t - 16] ?? 0) +
            (right(early, 7) ^ right(early, 18) ^ (early >>> 3)) +
            (words[t - 7] ?? 0) +
            (right(late, 17) ^ right(late, 19) ^ (late >>> 10))
      const sum = right(e, 6) ^ right(e, 11) ^ right(e, 25)
      const one = h + sum + ((e & f) ^ (~e & g)) + (rounds[t] ?? 0) + (words[t] ?? 0)
      const two = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
      // Swapping by destructuring would take four times as long.
      h = g
      g = f
      f = e
      e = (d + one) | 0
      d = c
      c = b
      b = a
      a = (one + two) | 0
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + word
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) digest.setInt32(4 * index, word)
  return new Uint8Array(digest.buffer)
}

const right64 = (word: bigint, by: bigint): bigint => (word >> by) | low64(word << (64n - by))

/** FIPS 180-4 §6.4. */
const sha512 = (bytes: Uint8Array): Uint8Array => {
  constants ??= sha2Constants()
  const { start, rounds } = constants
  const view = padded(bytes, 128)
  const state = BigUint64Array.from(start)
  const words = new BigUint64Array(80)
  for (let at = 0; at < view.byteLength; at += 128) {
    let [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n, g = 0n, h = 0n] = state
    for (let t = 0; t < 80; t += 1) {
      const [early = 0n, late = 0n] = [words[t - 15], words[t - 2]]
      words[t] =
        t < 16
          ? view.getBigUint64(at + 8 * t)
          : (words[t - 16] ?? 0n) +
            (right64(early, 1n) ^ right64(early, 8n) ^ (early >> 7n)) +
            (words[t - 7] ?? 0n) +
            (right64(late, 19n) ^ right64(late, 61n) ^ (late >> 6n))
      const sum = right64(e, 14n) ^ right64(e, 18n) ^ right64(e, 41n)
      const one = h + sum + ((e & f) ^ (~e & g)) + (rounds[t] ?? 0n) + (words[t] ?? 0n)
      const two = (right64(a, 28n) ^ right64(a, 34n) ^ right64(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c))
      ;[a, b, c, d, e, f, g, h] = [low64(one + two), a, b, c, low64(d + one), e, f, g]
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0n) + word
  }
  const digest = new DataView(new ArrayBuffer(64))
  for (const [index, word] of state.entries()) digest.setBigUint64(8 * index, word)
  return new Uint8Array(digest.buffer)
}

/** FIPS 202: the bytes that one permutation absorbs. */
const rate = 136

const sha3_256 = (bytes: Uint8Array): Uint8Array => {
  const message = new Uint8Array((Math.floor(bytes.length / rate) + 1) * rate)
  message.set(bytes)
  message[bytes.length] = 0x06
  message[message.length - 1] = (message.at(-1) ?? 0) | 0x80
  const view = new DataView(message.buffer)
  const lanes = new BigUint64Array(25)
  for (let at = 0; at < message.length; at += rate) {
    for (let lane = 0; lane < rate / 8; lane += 1)
      lanes[lane] = (lanes[lane] ?? 0n) ^ view.getBigUint64(at + 8 * lane, true)
    permute(lanes)
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (let lane = 0; lane < 4; lane += 1) digest.setBigUint64(8 * lane, lanes[lane] ?? 0n, true)
  return new Uint8Array(digest.buffer)
}

/** Keccak-f[1600], FIPS 202 §3.2 and §3.3. The round constants come from its shift register. */
const permute = (lanes: BigUint64Array): void => {
  const lane = (x: number, y: number): bigint => lanes[(x % 5) + 5 * y] ?? 0n
  const columns = [0, 1, 2, 3, 4]
  let register = 1
  for (let round = 0; round < 24; round += 1) {
    const parity = columns.map((x) => columns.reduce((sum, y) => sum ^ lane(x, y), 0n))
    for (let at = 0; at < 25; at += 1) {
      const next = parity[(at + 1) % 5] ?? 0n
      lanes[at] = (lanes[at] ?? 0n) ^ (parity[(at + 4) % 5] ?? 0n) ^ right64(next, 63n)
    }
    let [x, y, moved] = [1, 0, lane(1, 0)]
    for (let step = 1; step <= 24; step += 1) {
      ;[x, y] = [y, (2 * x + 3 * y) % 5]
      const turned = right64(moved, BigInt(64 - (((step * (step + 1)) / 2) % 64)))
      moved = lane(x, y)
      lanes[x + 5 * y] = turned
    }
    for (const row of columns) {
      const [a, b, c, d, e] = columns.map((column) => lane(column, row)) as [
        bigint,
        bigint,
        bigint,
        bigint,
        bigint,
      ]
      const mixed = [a ^ (~b & c), b ^ (~c & d), c ^ (~d & e), d ^ (~e & a), e ^ (~a & b)]
      for (const column of columns) lanes[column + 5 * row] = mixed[column] ?? 0n
    }
    for (let bit = 0; bit < 7; bit += 1) {
      register = ((register << 1) ^ ((register >> 7) * 0x171)) & 0xff
      if ((register & 2) !== 0) lanes[0] = (lanes[0] ?? 0n) ^ (1n << ((1n << BigInt(bit)) - 1n))
    }
  }
}

const prime = 2n ** 255n - 19n
const order = 2n ** 252n + 27742317777372353535851937790883648493n

const reduced = (value: bigint): bigint => {
  const rest = value % prime
  return rest < 0n ? rest + prime : rest
}

const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = reduced(square * square))
    if ((rest & 1n) === 1n) result = reduced(result * square)
  return result
}

const curve = reduced(-121665n * power(121666n, prime - 2n))
const rootOfMinusOne = power(2n, (prime - 1n) / 4n)

/** X, Y, Z and T of RFC 8032 §5.1.4. */
type Point = readonly [bigint, bigint, bigint, bigint]
const neutral: Point = [0n, 1n, 1n, 0n]

/** Complete: it doubles, too. */
const add = ([x1, y1, z1, t1]: Point, [x2, y2, z2, t2]: Point): Point => {
  const a = (y1 - x1) * (y2 - x2)
  const b = (y1 + x1) * (y2 + x2)
  const c = reduced(2n * t1 * t2) * curve
  const d = 2n * z1 * z2
  const [e, f, g, h] = [reduced(b - a), reduced(d - c), reduced(d + c), reduced(b + a)]
  return [reduced(e * f), reduced(g * h), reduced(f * g), reduced(e * h)]
}

const negated = ([x, y, z, t]: Point): Point => [prime - x, y, z, prime - t]

const littleEndian = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)

/** RFC 8032 §5.1.3. Undefined if there is no such point. */
const decodePoint = (bytes: Uint8Array): Point | undefined => {
  const value = littleEndian(bytes)
  const y = BigInt.asUintN(255, value)
  const square = reduced(y * y)
  const wanted = reduced((square - 1n) * power(reduced(square * curve + 1n), prime - 2n))
  let x = power(wanted, (prime + 3n) / 8n)
  if (reduced(x * x) !== wanted) x = reduced(x * rootOfMinusOne)
  const isOdd = value >> 255n
  if (reduced(x * x) !== wanted || (x === 0n && isOdd === 1n)) return undefined
  if ((x & 1n) !== isOdd) x = prime - x
  return [x, y, 1n, reduced(x * y)]
}

const encodePoint = ([x, y, z]: Point): Uint8Array => {
  const inverse = power(z, prime - 2n)
  let value = reduced(y * inverse) | ((reduced(x * inverse) & 1n) << 255n)
  return Uint8Array.from({ length: 32 }, () => {
    const byte = Number(value & 0xffn)
    value >>= 8n
    return byte
  })
}

let generator: Point | undefined

/** With the rules of `portablePrimitives`: RFC 8032 §5.1.7 without the cofactor. */
const verifyEd25519 = ({ publicKey, message, signature }: SignatureCheck): boolean => {
  if (signature.length !== 64 || !isSafePoint(publicKey)) return false
  const commitment = signature.subarray(0, 32)
  const response = littleEndian(signature.subarray(32))
  if (!isSafePoint(commitment) || response >= order) return false
  const key = decodePoint(publicKey)
  generator ??= decodePoint(Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 0x58 : 0x66)))
  if (key === undefined || generator === undefined) return false
  const challenge = littleEndian(sha512(concatBytes(commitment, publicKey, message))) % order
  const minusKey = negated(key)
  const both = add(generator, minusKey)
  let sum = neutral
  for (let bit = 252n; bit >= 0n; bit -= 1n) {
    sum = add(sum, sum)
    const [s, k] = [(response >> bit) & 1n, (challenge >> bit) & 1n]
    if (s === 1n) sum = add(sum, k === 1n ? both : generator)
    else if (k === 1n) sum = add(sum, minusKey)
  }
  return equalBytes(encodePoint(sum), commitment)
}

export const smallPrimitives: Primitives = { sha256, sha3_256, verifyEd25519 }
