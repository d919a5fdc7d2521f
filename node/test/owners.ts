import { createPrivateKey, sign } from 'node:crypto'
import { nodePrimitives } from '@millseal/proof/node'
import { ownerOf as portableOwnerOf } from '@millseal/proof/testing'

/** An Ed25519 key in PKCS #8 before its seed (RFC 8410 §7). */
const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Signs the same as the owner of this byte everywhere, but with OpenSSL: logs of thousands of entries take a minute otherwise. */
export const ownerOf = (byte: number): ReturnType<typeof portableOwnerOf> => {
  const seed = Buffer.alloc(32, byte)
  const key = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' })
  return {
    ...portableOwnerOf(byte),
    primitives: nodePrimitives,
    sign: (message) => sign(null, message, key),
  }
}
