import { ed25519 } from '@noble/curves/ed25519.js'
import { encodeBase58 } from '../encoding/base58.ts'
import { encodeBase64 } from '../encoding/base64.ts'
import { didOf, multibase, scheme } from './did-key.ts'

const x25519Prefix = Uint8Array.of(0xec, 0x01)

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

const spelled = (key: Uint8Array) => ({
  publicKeyBase58: encodeBase58(key),
  publicKeyBase64: encodeBase64(key),
})
