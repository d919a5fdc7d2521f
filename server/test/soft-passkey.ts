import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'

/** CBOR (RFC 8949) of what an authenticator answers: small numbers, bytes, texts and maps. */
const encode = (value: unknown): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap((pair) => pair.map(encode))])
  throw new TypeError(`Cannot encode ${String(value)}`)
}

const head = (major: number, length: number): Buffer => {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}

const flags = { userPresent: 1, userVerified: 4, hasCredential: 64 }

/** What a browser sends to add a passkey, from an authenticator in software: WebAuthn Level 3, without attestation. */
export const newPasskeyResponse = (options: string, { origin }: { readonly origin: string }): string => {
  const { challenge, rp } = JSON.parse(options) as { challenge: string; rp: { id: string } }
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const key = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
  const authData = Buffer.concat([
    createHash('sha256').update(rp.id).digest(),
    Buffer.from([flags.userPresent | flags.userVerified | flags.hasCredential, 0, 0, 0, 0]),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    encode(key),
  ])
  const attestation = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  const clientData = JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false })
  return JSON.stringify({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: Buffer.from(clientData).toString('base64url'),
      attestationObject: encode(attestation).toString('base64url'),
      transports: ['internal'],
    },
  })
}
