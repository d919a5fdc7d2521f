import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { movableClock } from '../../../../test/movable-clock.ts'
import { Secret } from '../../../lib/secret.ts'
import { DecryptionFailed } from '../../../ports/keystore/keystore.ts'
import { describeVault, newPlace, path } from '../../../ports/vault/vault.suite.ts'
import { createLocalKeystore } from '../../keystore/local.ts'
import { createLocalVault } from './local.ts'

const clock = movableClock()
const newKey = () => new Secret(randomBytes(32))
const vault = createLocalVault({ keystore: createLocalKeystore(newKey()), clock })
after(() => vault[Symbol.asyncDispose]())

describeVault('the master key of the installation', () => vault)

describe('the local vault', () => {
  test('decrypts no root of another installation, and re-encrypts a root with the newest key once', async () => {
    const [before, next] = [newKey(), newKey()]
    await using old = createLocalVault({ keystore: createLocalKeystore(before), clock })
    await using rotating = createLocalVault({ keystore: createLocalKeystore(next, before), clock })
    await using renewed = createLocalVault({ keystore: createLocalKeystore(next), clock })
    const place = newPlace()
    const { encrypted, mnemonic } = await old.create({ ...place, language: 'english' })
    const publicKey = await old.derive({ ...place, encrypted }, path)
    await assert.rejects(renewed.derive({ ...place, encrypted }, path), DecryptionFailed)
    assert.deepEqual(await rotating.derive({ ...place, encrypted }, path), publicKey)

    const moved =
      (await rotating.reEncrypt({ ...place, encrypted })) ?? assert.fail('it was not re-encrypted')
    assert.equal(await rotating.reEncrypt({ ...place, encrypted: moved }), undefined)
    assert.deepEqual(await renewed.derive({ ...place, encrypted: moved }, path), publicKey)
    assert.equal(
      (await renewed.revealMnemonic({ ...place, encrypted: moved })).mnemonic.reveal(),
      mnemonic.reveal(),
    )
    await assert.rejects(old.derive({ ...place, encrypted: moved }, path), /another master key/)
  })
})
