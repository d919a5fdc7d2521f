import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { cosign, type Cosigner, cosignerKey, formatCosignerKey } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import type { NodeFiles } from './files.ts'

/** A name and its key. It signs only checkpoints. */
export type NodeKey = {
  /** As it is published. */
  readonly vkey: string
  /** The line that it adds to a checkpoint with this text. */
  cosign(text: string, nowMs: number): Promise<string>
}

/**
 * C2SP tlog-mirror wants two keys: `witness` says that a log only grew since it was seen last, `node` that every entry and
 * what the checkpoint says was checked.
 */
export type NodeKeys = { readonly witness: NodeKey; readonly node: NodeKey }

/** Creates the keys at the first start. */
export const openNodeKeys = async (name: string, files: NodeFiles): Promise<NodeKeys> => ({
  witness: await openKey(`${name}/witness`, { files, file: 'keys/witness.pem' }),
  node: await openKey(name, { files, file: 'keys/node.pem' }),
})

const openKey = async (
  name: string,
  { files, file }: { readonly files: NodeFiles; readonly file: string },
): Promise<NodeKey> => {
  const privateKey = await ensurePrivateKey(files, file)
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const key = cosignerKey(name, new Uint8Array(Buffer.from(x, 'base64url')), nodePrimitives)
  const cosigner: Cosigner = { key, sign: (message) => sign(null, message, privateKey) }
  return {
    vkey: formatCosignerKey(key),
    cosign: (text, nowMs) => cosign(text, Math.floor(nowMs / 1_000), cosigner),
  }
}

const ensurePrivateKey = async (files: NodeFiles, file: string): Promise<KeyObject> => {
  const stored = await files.read(file)
  if (stored !== undefined) return createPrivateKey(Buffer.from(stored))
  const { privateKey } = generateKeyPairSync('ed25519')
  await files.write([{ name: file, bytes: Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })) }])
  return privateKey
}
