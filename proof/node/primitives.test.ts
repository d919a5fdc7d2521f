import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { decodeHex, encodeHex } from '../src/encoding/hex.ts'
import { portablePrimitives, type Primitives } from '../src/primitives.ts'
import { smallPrimitives } from '../src/small-primitives.ts'
import { nodePrimitives } from './primitives.ts'

const all: readonly { readonly name: string; readonly primitives: Primitives }[] = [
  { name: 'portable', primitives: portablePrimitives },
  { name: 'small', primitives: smallPrimitives },
  { name: 'node', primitives: nodePrimitives },
]

/** RFC 8032 §7.1, tests 1 to 3. */
const rfc8032 = [
  {
    publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    message: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
  {
    publicKey: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    message: 'af82',
    signature:
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  },
]

/** Cases from "Taming the many EdDSAs" (ePrint 2020/1244) on which implementations disagree. */
const disputed = [
  {
    why: 'key and commitment of small order',
    message: '8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6',
    publicKey: 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    signature:
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a0000000000000000000000000000000000000000000000000000000000000000',
  },
  {
    why: 'key of small order',
    message: '9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79',
    publicKey: 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    signature:
      'f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04',
  },
  {
    why: 'commitment of small order',
    message: 'aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab',
    publicKey: 'f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43',
    signature:
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e',
  },
  {
    why: 'mixed order, valid without the cofactor too',
    accepted: true,
    message: '9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79',
    publicKey: 'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    signature:
      '9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009',
  },
  {
    why: 'valid only with the cofactor',
    message: 'e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c',
    publicKey: 'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    signature:
      '160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09',
  },
  {
    why: 'valid only with the cofactor and an unreduced challenge',
    message: 'e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c',
    publicKey: 'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    signature:
      '21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405',
  },
  {
    why: 'response not reduced',
    message: '85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40',
    publicKey: '442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623',
    signature:
      'e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514',
  },
  {
    why: 'response far from reduced',
    message: '85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40',
    publicKey: '442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623',
    signature:
      '8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa19427e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22',
  },
  {
    why: 'commitment not canonical',
    message: 'fdaebc429f4a735932a160da1301080c13280eea8bc280d1b392c6b9e6ba3a5a',
    publicKey: 'f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43',
    signature:
      'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f454d370c8d9fc323a41450f8d513eafeb5b0697390c1e505a0d4ddc71f566607',
  },
  {
    why: 'commitment not canonical, hashed reduced',
    message: '84b698d39be126ff55fe45079e6c8bf64a0d7db6994560b4e96b7021eb39c1a1',
    publicKey: 'f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43',
    signature:
      'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f084d5b99c2a9463d9c8bd5026916996984eeec87ddf1d3be329006ace1b37b09',
  },
]

const check = (given: { publicKey: string; message: string; signature: string }) => ({
  publicKey: decodeHex(given.publicKey),
  message: decodeHex(given.message),
  signature: decodeHex(given.signature),
})

for (const { name, primitives } of all)
  describe(`primitives, ${name}`, () => {
    test('digests match FIPS 180-4 and FIPS 202', () => {
      const abc = new TextEncoder().encode('abc')
      assert.equal(
        encodeHex(primitives.sha256(abc)),
        'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      )
      assert.equal(
        encodeHex(primitives.sha3_256(abc)),
        '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532',
      )
    })

    test('the signatures of RFC 8032 are valid, but not for other messages', () => {
      for (const vector of rfc8032) {
        assert.equal(primitives.verifyEd25519(check(vector)), true)
        assert.equal(primitives.verifyEd25519({ ...check(vector), message: Uint8Array.of(1, 2, 3) }), false)
      }
    })

    test('disputed signatures are valid only if they need no cofactor', () => {
      for (const { why, accepted = false, ...vector } of disputed)
        assert.equal(primitives.verifyEd25519(check(vector)), accepted, why)
    })

    test('the identity point as a key makes no signature valid', () => {
      const identity = new Uint8Array(32)
      identity[0] = 1
      const signature = new Uint8Array(64)
      signature[0] = 1
      assert.equal(primitives.verifyEd25519({ publicKey: identity, message: identity, signature }), false)
    })

    test('keys and signatures of any length or content never cause an exception', () => {
      fc.assert(
        fc.property(
          fc.uint8Array({ maxLength: 40 }),
          fc.uint8Array({ maxLength: 70 }),
          (publicKey, signature) => {
            assert.equal(primitives.verifyEd25519({ publicKey, message: publicKey, signature }), false)
          },
        ),
        { numRuns: 200 },
      )
    })
  })

describe('all primitives', () => {
  const { privateKey, publicKey } = keyFrom(new Uint8Array(32).fill(7))

  test('agree on every signature, valid or with one bit changed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(511), fc.boolean(), (message, bit, isChanged) => {
        const signature = Uint8Array.from(sign(null, message, privateKey))
        const at = bit >> 3
        if (isChanged) signature[at] = (signature[at] ?? 0) ^ (1 << (bit & 7))
        for (const { name, primitives } of all)
          assert.equal(primitives.verifyEd25519({ publicKey, message, signature }), !isChanged, name)
      }),
      { numRuns: 60 },
    )
  })

  test('agree on digests of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        for (const digest of ['sha256', 'sha3_256'] as const)
          for (const { name, primitives } of all)
            assert.equal(encodeHex(primitives[digest](bytes)), encodeHex(nodePrimitives[digest](bytes)), name)
      }),
    )
  })
})

function keyFrom(seed: Uint8Array) {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  const privateKey = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { privateKey, publicKey: new Uint8Array(Buffer.from(x, 'base64url')) }
}
