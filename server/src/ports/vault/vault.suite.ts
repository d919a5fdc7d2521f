import assert from 'node:assert/strict'
import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { describe, test } from 'node:test'
import { mnemonicLanguages } from '@millseal/contract'
import { Secret } from '../../lib/secret.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { DecryptionFailed } from '../keystore/keystore.ts'
import { MnemonicGone, MnemonicInvalid, type Vault, type WalletRoot } from './vault.ts'

export const path = { coinType: 822, account: 0, change: 0, index: 0 }

export const newPlace = () => ({ walletId: uuidv7(Date.now()), mode: 'live' }) as const

/** Verifies a signature with an Ed25519 public key. */
export const isSignedBy = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean => {
  const x = Buffer.from(publicKey).toString('base64url')
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
  return verify(null, message, key, signature)
}

/** The guarantees of every vault. */
export const describeVault = (
  name: string,
  vaultOf: () => Vault,
  options: { skip?: string | false } = {},
) => {
  describe(`a vault: ${name}`, options, () => {
    const makeRoot = async (): Promise<WalletRoot & { mnemonic: string; seed: Uint8Array }> => {
      const place = newPlace()
      const made = await vaultOf().create({ ...place, language: 'english' })
      return {
        ...place,
        encrypted: made.encrypted,
        mnemonic: made.mnemonic.reveal(),
        seed: made.seed.reveal(),
      }
    }

    test('a signature is valid for the derived key, and signing again gives the same bytes', async () => {
      const root = await makeRoot()
      const message = randomBytes(32)
      const publicKey = await vaultOf().derive(root, path)
      const signature = await vaultOf().sign(root, path, message)
      assert.equal(publicKey.length, 32)
      assert.ok(isSignedBy(publicKey, message, signature))
      assert.deepEqual(Buffer.from(await vaultOf().sign(root, path, message)), Buffer.from(signature))
      assert.ok(!isSignedBy(publicKey, randomBytes(32), signature))
    })

    test('every part of the path gives a different key', async () => {
      const root = await makeRoot()
      const paths = [
        path,
        { ...path, account: 1 },
        { ...path, change: 1 },
        { ...path, index: 1 },
        { ...path, coinType: 0 },
        { ...path, account: 2_147_483_647, index: 2_147_483_647 },
      ]
      const keys = await Promise.all(paths.map((one) => vaultOf().derive(root, one)))
      assert.equal(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size, paths.length)
    })

    test('a mnemonic and its passphrase recover the same keys, in all ten languages', async () => {
      for (const language of mnemonicLanguages) {
        const place = newPlace()
        const password = new Secret('pass phrase')
        const made = await vaultOf().create({ ...place, language, password })
        const expected = await vaultOf().derive({ ...place, encrypted: made.encrypted }, path)
        const { mnemonic } = made
        const again = await vaultOf().recover({ ...place, language, mnemonic, password })
        assert.deepEqual(
          await vaultOf().derive({ ...place, encrypted: again.encrypted }, path),
          expected,
          language,
        )
        const without = await vaultOf().recover({ ...place, language, mnemonic })
        assert.notDeepEqual(
          await vaultOf().derive({ ...place, encrypted: without.encrypted }, path),
          expected,
        )
      }
    })

    test('the words can be revealed until they are deleted, and the keys stay', async () => {
      const root = await makeRoot()
      const before = await vaultOf().derive(root, path)
      const shown = await vaultOf().revealMnemonic(root)
      assert.equal(shown.mnemonic.reveal(), root.mnemonic)
      assert.deepEqual(Buffer.from(shown.seed.reveal()), Buffer.from(root.seed))
      const bare = { ...root, encrypted: await vaultOf().withoutMnemonic(root) }
      await assert.rejects(vaultOf().revealMnemonic(bare), MnemonicGone)
      assert.deepEqual(await vaultOf().derive(bare, path), before)
    })

    test('an invalid mnemonic is refused, and the error does not contain it', async () => {
      const { mnemonic } = await makeRoot()
      const swapped = mnemonic.split(' ').toReversed().join(' ')
      for (const [words, language] of [
        [mnemonic, 'korean'],
        [`${mnemonic} zoo`, 'english'],
        [swapped.replace(/^\S+/, 'millseal'), 'english'],
      ] as const) {
        const refused = vaultOf().recover({ ...newPlace(), language, mnemonic: new Secret(words) })
        await assert.rejects(refused, (error) => {
          assert.ok(error instanceof MnemonicInvalid)
          assert.ok(!String(error.stack).includes(words.slice(-20)))
          return true
        })
      }
    })

    test('a root that is moved to another wallet or mode, shortened, or changed by one bit cannot be decrypted', async () => {
      const [one, other] = [await makeRoot(), await makeRoot()]
      await vaultOf().sign(one, path, randomBytes(32))
      await vaultOf().sign(other, path, randomBytes(32))
      const moved: WalletRoot[] = [
        { ...one, encrypted: other.encrypted },
        { ...one, mode: 'test' },
        { ...one, encrypted: one.encrypted.subarray(0, one.encrypted.length - 1) },
        { ...one, encrypted: new Uint8Array() },
      ]
      for (let at = 0; at < one.encrypted.length; at += 13) {
        const changed = Buffer.from(one.encrypted)
        changed[at] = (changed[at] ?? 0) ^ 1
        moved.push({ ...one, encrypted: changed })
      }
      for (const root of moved) {
        await assert.rejects(vaultOf().sign(root, path, randomBytes(32)), DecryptionFailed)
        await assert.rejects(vaultOf().derive(root, path), DecryptionFailed)
        await assert.rejects(vaultOf().revealMnemonic(root), DecryptionFailed)
      }
      assert.ok(await vaultOf().sign(one, path, randomBytes(32)), 'it still signs with the right root')
    })

    test('an encrypted root does not contain its seed, and no two are equal', async () => {
      const { encrypted, seed, ...place } = await makeRoot()
      assert.ok(!Buffer.from(encrypted).includes(Buffer.from(seed.subarray(0, 8))))
      const one = await vaultOf().withoutMnemonic({ ...place, encrypted })
      const other = await vaultOf().withoutMnemonic({ ...place, encrypted })
      assert.notDeepEqual(one, other)
    })

    test('a hundred simultaneous calls for several wallets each get their own signature', async () => {
      const roots = await Promise.all([makeRoot(), makeRoot(), makeRoot()])
      const keys = await Promise.all(roots.map((root) => vaultOf().derive(root, path)))
      await Promise.all(
        Array.from({ length: 100 }, async (_, at) => {
          const root = roots[at % 3] ?? assert.fail()
          const message = randomBytes(32)
          const signature = await vaultOf().sign(root, path, message)
          assert.ok(isSignedBy(keys[at % 3] ?? assert.fail(), message, signature))
        }),
      )
    })
  })
}
