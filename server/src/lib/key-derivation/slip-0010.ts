import { createHmac, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/** A node of the tree: private key (32 bytes), then chain code (32 bytes). */
export type KeyNode = Buffer

const curve = 'ed25519 seed'
const hardened = 0x8000_0000
const keyBytes = 32

/** SLIP-0010, master key generation for Ed25519. */
export const masterNode = (seed: Uint8Array): KeyNode => createHmac('sha512', curve).update(seed).digest()

/** SLIP-0010, private parent to private child. Hardens every level, because Ed25519 has only hardened children. */
export const descend = (node: KeyNode, levels: readonly number[]): KeyNode => {
  let here = Buffer.from(node)
  for (const level of levels) {
    const data = Buffer.alloc(1 + keyBytes + 4)
    here.copy(data, 1, 0, keyBytes)
    data.writeUInt32BE((level | hardened) >>> 0, 1 + keyBytes)
    const child = createHmac('sha512', here.subarray(keyBytes)).update(data).digest()
    data.fill(0)
    here.fill(0)
    here = child
  }
  return here
}

/** What PKCS #8 puts before the 32 bytes of an Ed25519 key (RFC 8410). A JWK would need the public half, too. */
const header = Buffer.from('302e020100300506032b657004220420', 'hex')

export const signingKeyOf = (node: KeyNode): KeyObject => {
  const key = Buffer.concat([header, node.subarray(0, keyBytes)])
  try {
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  } finally {
    key.fill(0)
  }
}

export const publicKeyOf = (node: KeyNode): Buffer => {
  const { x = '' } = createPublicKey(signingKeyOf(node)).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url')
}
