import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeBase58, encodeBase58 } from '../encoding/base58.ts'
import { encodeBase64 } from '../encoding/base64.ts'
import { decodeHex } from '../encoding/hex.ts'
import { didDocument } from './did-document.ts'
import { didOf, publicKeyOfDid } from './did-key.ts'
import { decodePublicKey, isSafePoint } from './public-key.ts'

describe('did:key', () => {
  test('a DID and its key convert into each other', () => {
    const did = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
    assert.equal(didOf(publicKeyOfDid(did)), did)
  })

  test('the document contains the key, and the agreement key of the method specification', () => {
    const did = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
    const key = publicKeyOfDid(did)
    const signing = `${did}#z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK`
    const agreementId = 'z6LSj72tK8brWgZja8NLRwPigth2T9QRiG1uH9oKZuKjdh9p'
    const agreement = decodeBase58(agreementId.slice(1)).subarray(2)
    assert.deepEqual(didDocument(key), {
      '@context': ['https://w3id.org/did/v0.11'],
      id: did,
      publicKey: [
        {
          id: signing,
          type: 'Ed25519VerificationKey2018',
          controller: encodeBase58(key),
          publicKeyBase58: encodeBase58(key),
          publicKeyBase64: encodeBase64(key),
        },
      ],
      authentication: [signing],
      assertionMethod: [signing],
      capabilityDelegation: [signing],
      capabilityInvocation: [signing],
      keyAgreement: [
        {
          id: `${did}#${agreementId}`,
          type: 'X25519KeyAgreementKey2019',
          controller: encodeBase58(key),
          publicKeyBase58: encodeBase58(agreement),
          publicKeyBase64: encodeBase64(agreement),
        },
      ],
    })
  })

  test('rejects everything except the did:key of an Ed25519 key', () => {
    for (const did of [
      'did:web:example.com',
      'did:key:z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc',
      'did:key:u7QEr',
      'did:key:z',
    ])
      assert.throws(() => publicKeyOfDid(did), SyntaxError, did)
  })
})

describe('public keys', () => {
  /** "Taming the many EdDSAs" (ePrint 2020/1244), table 1b: all encodings of the points of small order. */
  const smallOrder = [
    '0100000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000080',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000080',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  ]

  test('of small order are rejected in every encoding, by every function that takes a key', () => {
    for (const hex of smallOrder) {
      const key = decodeHex(hex)
      assert.equal(isSafePoint(key), false, hex)
      assert.throws(() => decodePublicKey(encodeBase58(key)), SyntaxError)
      assert.throws(() => didOf(key), SyntaxError)
    }
    assert.ok(isSafePoint(decodeBase58('GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB')))
    assert.throws(() => decodePublicKey(encodeBase58(new Uint8Array(31).fill(9))), /32 bytes/)
  })
})
