import assert from 'node:assert/strict'
import { createPublicKey, sign, verify } from 'node:crypto'
import { describe, test } from 'node:test'
import { descend, masterNode, publicKeyOf, signingKeyOf } from './slip-0010.ts'

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

type Vector = readonly [path: readonly number[], chainCode: string, privateKey: string, publicKey: string]

/** SLIP-0010, test vector 1 for ed25519. */
const first: readonly Vector[] = [
  [
    [],
    '90046a93de5380a72b5e45010748567d5ea02bbf6522f979e05c0d8d8ca9fffb',
    '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7',
    'a4b2856bfec510abab89753fac1ac0e1112364e7d250545963f135f2a33188ed',
  ],
  [
    [0],
    '8b59aa11380b624e81507a27fedda59fea6d0b779a778918a2fd3590e16e9c69',
    '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3',
    '8c8a13df77a28f3445213a0f432fde644acaa215fc72dcdf300d5efaa85d350c',
  ],
  [
    [0, 1],
    'a320425f77d1b5c2505a6b1b27382b37368ee640e3557c315416801243552f14',
    'b1d0bad404bf35da785a64ca1ac54b2617211d2777696fbffaf208f746ae84f2',
    '1932a5270f335bed617d5b935c80aedb1a35bd9fc1e31acafd5372c30f5c1187',
  ],
  [
    [0, 1, 2, 2, 1_000_000_000],
    '68789923a0cac2cd5a29172a475fe9e0fb14cd6adb5ad98a3fa70333e7afa230',
    '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
    '3c24da049451555d51a7014a37337aa4e12d41e485abccfa46b47dfb2af54b7a',
  ],
]

describe('SLIP-0010 for Ed25519', () => {
  test('matches the published vector: chain code, private and public key at each level', () => {
    const master = masterNode(hex('000102030405060708090a0b0c0d0e0f'))
    for (const [path, chainCode, privateKey, publicKey] of first) {
      const node = descend(master, path)
      assert.equal(node.subarray(0, 32).toString('hex'), privateKey, path.join('/'))
      assert.equal(node.subarray(32).toString('hex'), chainCode, path.join('/'))
      assert.equal(publicKeyOf(node).toString('hex'), publicKey, path.join('/'))
    }
  })

  test('derives the same node in one step or in several, and does not change the parent', () => {
    const master = masterNode(
      hex(
        'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
      ),
    )
    const before = Buffer.from(master)
    assert.deepEqual(
      descend(descend(master, [44, 822]), [0, 0, 2_147_483_647]),
      descend(master, [44, 822, 0, 0, 2_147_483_647]),
    )
    assert.deepEqual(master, before)
  })

  test('signs as RFC 8032 §7.1 specifies', () => {
    const vectors = [
      [
        '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
        'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
        '',
        'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
      ],
      [
        '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
        '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
        '72',
        '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
      ],
    ] as const
    for (const [privateKey, publicKey, message, signature] of vectors) {
      const node = Buffer.concat([hex(privateKey), Buffer.alloc(32)])
      const key = signingKeyOf(node)
      assert.equal(publicKeyOf(node).toString('hex'), publicKey)
      assert.equal(sign(null, hex(message), key).toString('hex'), signature)
      assert.ok(verify(null, hex(message), createPublicKey(key), hex(signature)))
    }
  })
})
