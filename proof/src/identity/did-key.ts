import { ed25519 } from '@noble/curves/ed25519.js'
import { decodeBase58, encodeBase58 } from '../encoding/base58.ts'
import { encodeBase64 } from '../encoding/base64.ts'
import { concatBytes } from '../encoding/bytes.ts'
import { isSafePoint } from './public-key.ts'

const ed25519Prefix = Uint8Array.of(0xed, 0x01)
const x25519Prefix = Uint8Array.of(0xec, 0x01)
const scheme = 'did:key:'

/** `did:key` of an Ed25519 public key: multibase base58btc over the multicodec prefix and the key. */
export const didOf = (publicKey: Uint8Array): string =>
  scheme + multibase(ed25519Prefix, assertKey(publicKey))

/** Returns the Ed25519 public key of a `did:key`. Throws for any other DID. */
export const publicKeyOfDid = (did: string): Uint8Array => {
  if (!did.startsWith(`${scheme}z`)) throw new SyntaxError('Not a did:key in base58')
  const bytes = decodeBase58(did.slice(scheme.length + 1))
  if (bytes.length !== 34 || bytes[0] !== ed25519Prefix[0] || bytes[1] !== ed25519Prefix[1])
    throw new SyntaxError('Not the did:key of an Ed25519 key')
  return assertKey(bytes.subarray(2))
}

type KeyEntry<Type extends string> = {
  id: string
  type: Type
  controller: string
  publicKeyBase58: string
  publicKeyBase64: string
}

export type DidDocument = {
  '@context': string[]
  id: string
  publicKey: KeyEntry<'Ed25519VerificationKey2018'>[]
  authentication: string[]
  assertionMethod: string[]
  capabilityDelegation: string[]
  capabilityInvocation: string[]
  keyAgreement: KeyEntry<'X25519KeyAgreementKey2019'>[]
}

/** The DID document of a `did:key`. The key agreement key is the same key on the Montgomery curve. */
export const didDocument = (publicKey: Uint8Array): DidDocument => {
  const did = didOf(publicKey)
  const signing = `${did}#${did.slice(scheme.length)}`
  const agreement = ed25519.utils.toMontgomery(publicKey)
  const controller = encodeBase58(publicKey)
  return {
    '@context': ['https://w3id.org/did/v0.11'],
    id: did,
    publicKey: [{ id: signing, type: 'Ed25519VerificationKey2018', controller, ...spelled(publicKey) }],
    authentication: [signing],
    assertionMethod: [signing],
    capabilityDelegation: [signing],
    capabilityInvocation: [signing],
    keyAgreement: [
      {
        id: `${did}#${multibase(x25519Prefix, agreement)}`,
        type: 'X25519KeyAgreementKey2019',
        controller,
        ...spelled(agreement),
      },
    ],
  }
}

const multibase = (prefix: Uint8Array, key: Uint8Array): string =>
  `z${encodeBase58(concatBytes(prefix, key))}`

const spelled = (key: Uint8Array) => ({
  publicKeyBase58: encodeBase58(key),
  publicKeyBase64: encodeBase64(key),
})

const assertKey = (key: Uint8Array): Uint8Array => {
  if (!isSafePoint(key)) throw new SyntaxError('Not an Ed25519 public key, or one of small order')
  return key
}
