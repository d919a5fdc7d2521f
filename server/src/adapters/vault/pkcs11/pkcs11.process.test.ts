import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomBytes, verify } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { generousDeadline, onceItWorks } from '../../../../test/eventually.ts'
import { movableClock } from '../../../../test/movable-clock.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { lacksSoftToken, openSoftToken, type SoftToken } from '../../../../test/soft-token.ts'
import { makeTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { Secret } from '../../../lib/secret.ts'
import { DecryptionFailed } from '../../../ports/keystore/keystore.ts'
import { describeVault, isSignedBy, newPlace, path } from '../../../ports/vault/vault.suite.ts'
import { VaultUnavailable, type WalletRoot } from '../../../ports/vault/vault.ts'
import { createLocalKeystore } from '../../keystore/local.ts'
import { createLocalVault } from '../local/local.ts'
import { createPkcs11Vault, type Pkcs11Vault } from './pkcs11.ts'
import type { TokenSettings } from './token.ts'

const skip = await lacksSoftToken()
const clock = movableClock()
const keystore = createLocalKeystore(new Secret(randomBytes(32)))
const local = createLocalVault({ keystore, clock })
const openVault = (settings: TokenSettings): Pkcs11Vault =>
  createPkcs11Vault({ settings, log: silentLog, keystore, local })

let token: SoftToken
let vault: Pkcs11Vault
before(async () => {
  if (skip !== false) return
  token = await openSoftToken()
  vault = openVault(token.settings)
})
after(async () => {
  await local[Symbol.asyncDispose]()
  if (skip !== false) return
  await vault[Symbol.asyncDispose]()
  await token[Symbol.asyncDispose]()
})

const makeRoot = async (from = vault): Promise<WalletRoot> => {
  const place = newPlace()
  const { encrypted } = await from.create({ ...place, language: 'english' })
  return { ...place, encrypted }
}

const killSigner = (of: Pkcs11Vault): void => {
  process.kill(of.signerPid ?? assert.fail('there is no signer'), 'SIGKILL')
}

describeVault('a PKCS#11 token (SoftHSM)', () => vault, { skip })

describe('the vault of a PKCS#11 token', { skip }, () => {
  test('a signer that is killed ten times under load fails no call and returns no bad signature', async (t) => {
    const root = await makeRoot()
    const publicKey = await vault.derive(root, path)
    const seen = { kills: 0, signed: 0, worstMs: 0 }
    const load = async (): Promise<void> => {
      while (seen.kills < 10) {
        const message = randomBytes(32)
        const startedMs = performance.now()
        const signature = await vault.sign(root, path, message)
        seen.worstMs = Math.max(seen.worstMs, performance.now() - startedMs)
        assert.ok(isSignedBy(publicKey, message, signature))
        seen.signed += 1
      }
    }
    const killing = async (): Promise<void> => {
      for (; seen.kills < 10; seen.kills += 1) {
        const enough = seen.signed + 50
        while (seen.signed < enough) await new Promise(setImmediate)
        killSigner(vault)
      }
    }
    await Promise.all([killing(), ...Array.from({ length: 4 }, load)])
    t.diagnostic(`${seen.signed} signatures, ${seen.kills} crashes, worst ${seen.worstMs.toFixed(0)} ms`)
  })

  test('a missing token is a VaultUnavailable with its name, and works once it is plugged in', async () => {
    const root = await makeRoot()
    await using away = openVault(token.settings)
    await token.unplug()
    await assert.rejects(away.sign(root, path, randomBytes(32)), (error) => {
      assert.ok(error instanceof VaultUnavailable)
      assert.match(error.message, /There is no PKCS#11 token "millseal test" in any slot/)
      return true
    })
    await assert.rejects(away.check('live', generousDeadline()), VaultUnavailable)
    await token.plugIn()
    await onceItWorks(() => away.sign(root, path, randomBytes(32)))
    await away.check('live', generousDeadline())
  })

  test('a wrong PIN is refused once and not retried, because tokens lock themselves', async () => {
    const root = await makeRoot()
    await using wrong = openVault({ ...token.settings, pin: '9999' })
    const pids = new Set<number | undefined>()
    for (let time = 0; time < 3; time += 1) {
      await assert.rejects(wrong.sign(root, path, randomBytes(32)), (error) => {
        assert.ok(error instanceof VaultUnavailable)
        assert.match(error.message, /refuses to log in: CKR_PIN_INCORRECT/)
        assert.ok(!error.message.includes('9999'))
        return true
      })
      pids.add(wrong.signerPid)
    }
    assert.deepEqual([...pids], [undefined])
  })

  test('a module that is not a PKCS#11 library is a VaultUnavailable with its path', async () => {
    await using wrong = openVault({ ...token.settings, module: '/nowhere/libtoken.so' })
    await assert.rejects(makeRoot(wrong), (error) => {
      assert.ok(error instanceof VaultUnavailable)
      assert.match(error.message, /module \/nowhere\/libtoken\.so does not load/)
      return true
    })
  })

  test('a root of a key that is not in the token is not decrypted, and the next call works', async () => {
    const root = await makeRoot()
    await using other = openVault({ ...token.settings, keyLabel: 'another label' })
    const own = await makeRoot(other)
    const unknown = Buffer.from(root.encrypted)
    // The key id follows the header and its own length; its last byte is the number of the key.
    unknown[4 + 8] = 77
    await assert.rejects(
      vault.sign({ ...root, encrypted: unknown }, path, randomBytes(32)),
      /The PKCS#11 token has no key 000000000000004d/,
    )
    await assert.rejects(vault.sign(own, path, randomBytes(32)), DecryptionFailed)
    assert.ok(await vault.sign(root, path, randomBytes(32)))
    assert.ok(await other.sign(own, path, randomBytes(32)))
  })

  test('a root of the master key still signs and moves to the token; one of the token does not move back', async () => {
    const place = newPlace()
    const { encrypted, mnemonic } = await local.create({ ...place, language: 'french' })
    const root = { ...place, encrypted }
    const publicKey = await local.derive(root, path)
    assert.deepEqual(await vault.derive(root, path), publicKey)
    const moved = { ...place, encrypted: (await vault.reEncrypt(root)) ?? assert.fail('it did not move') }
    assert.deepEqual(Buffer.from(await vault.derive(moved, path)), Buffer.from(publicKey))
    assert.equal((await vault.revealMnemonic(moved)).mnemonic.reveal(), mnemonic.reveal())
    await assert.rejects(local.derive(moved, path), /is encrypted with a PKCS#11 token/)
    assert.equal(await vault.reEncrypt(moved), undefined)
  })

  test('after a key rotation old roots still sign and can be re-encrypted, and the next process uses both keys', async () => {
    const root = await makeRoot()
    const publicKey = await vault.derive(root, path)
    await vault.makeNewKey()
    assert.deepEqual(await vault.derive(root, path), publicKey)
    const moved = { ...root, encrypted: (await vault.reEncrypt(root)) ?? assert.fail('it did not move') }
    assert.equal(await vault.reEncrypt(moved), undefined)
    await using next = openVault(token.settings)
    for (const one of [root, moved]) assert.deepEqual(await next.derive(one, path), publicKey)
  })

  test('ends its signer process when it is closed', async () => {
    const other = openVault(token.settings)
    await makeRoot(other)
    const pid = other.signerPid ?? assert.fail('there is no signer')
    await other[Symbol.asyncDispose]()
    assert.throws(() => process.kill(pid, 0), /ESRCH/)
    await assert.rejects(makeRoot(other), VaultUnavailable)
  })

  test('signs digests with RSA and P-256 keys that others put into the token, and with no other', async () => {
    await using folder = await makeTemporaryFolder()
    const message = randomBytes(100)
    const digest = createHash('sha256').update(message).digest()
    for (const kind of ['rsa', 'ec'] as const) {
      const pair =
        kind === 'rsa'
          ? generateKeyPairSync('rsa', { modulusLength: 2_048 })
          : generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const file = join(folder.path, kind)
      await writeFile(file, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
      token.importKey(file, `seal ${kind}`)
      for (let times = 0; times < 20; times += 1) {
        const signature = await vault.signDigest({ label: `seal ${kind}`, kind, digest })
        assert.ok(verify('sha256', message, pair.publicKey, signature))
      }
    }
    await assert.rejects(vault.signDigest({ label: 'another', kind: 'ec', digest }), (error) => {
      assert.ok(error instanceof VaultUnavailable)
      assert.equal(error.message, 'The PKCS#11 token has no private key with the label another')
      return true
    })
  })
})
