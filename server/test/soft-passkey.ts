import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

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

export type SoftPasskey = {
  /** What a browser sends to add the passkey: WebAuthn Level 3, without attestation. */
  readonly response: string
  /** What a browser sends to sign in with it. */
  readonly answer: (request: string) => string
}

/** A passkey of an authenticator in software that recognizes its owner. */
export const newPasskey = (options: string, { origin }: { readonly origin: string }): SoftPasskey => {
  const { challenge, rp, user } = JSON.parse(options) as {
    challenge: string
    rp: { id: string }
    user: { id: string }
  }
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const key = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
  const present = flags.userPresent | flags.userVerified
  const added = Buffer.concat([
    authenticatorData(rp.id, { flags: present | flags.hasCredential, counter: 0 }),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    encode(key),
  ])
  const attestation = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', added],
  ])
  const send = (response: Readonly<Record<string, unknown>>): string =>
    JSON.stringify({
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response,
    })
  let uses = 0
  return {
    response: send({
      clientDataJSON: clientData({ type: 'webauthn.create', challenge, origin }).toString('base64url'),
      attestationObject: encode(attestation).toString('base64url'),
      transports: ['internal'],
    }),
    answer(request) {
      const asked = JSON.parse(request) as { challenge: string; rpId: string }
      uses += 1
      const data = authenticatorData(asked.rpId, { flags: present, counter: uses })
      const client = clientData({ type: 'webauthn.get', challenge: asked.challenge, origin })
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return send({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: user.id,
      })
    },
  }
}

export const newPasskeyResponse = (options: string, given: { readonly origin: string }): string =>
  newPasskey(options, given).response

const authenticatorData = (
  rpId: string,
  { flags: set, counter }: { readonly flags: number; readonly counter: number },
): Buffer => {
  const rest = Buffer.alloc(5)
  rest.writeUInt8(set)
  rest.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), rest])
}

const clientData = (data: { readonly type: string; readonly challenge: string; readonly origin: string }) =>
  Buffer.from(JSON.stringify({ ...data, crossOrigin: false }))
