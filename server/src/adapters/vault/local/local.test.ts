import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { movableClock } from '../../../../test/movable-clock.ts'
import { Secret } from '../../../lib/secret.ts'
import { SealBroken } from '../../../ports/keystore/keystore.ts'
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
    const { sealed, mnemonic } = await old.create({ ...place, language: 'english' })
    const publicKey = await old.derive({ ...place, sealed }, path)
    await assert.rejects(renewed.derive({ ...place, sealed }, path), SealBroken)
    assert.deepEqual(await rotating.derive({ ...place, sealed }, path), publicKey)

    const moved = (await rotating.rewrap({ ...place, sealed })) ?? assert.fail('it was not re-encrypted')
    assert.equal(await rotating.rewrap({ ...place, sealed: moved }), undefined)
    assert.deepEqual(await renewed.derive({ ...place, sealed: moved }, path), publicKey)
    assert.equal(
      (await renewed.revealMnemonic({ ...place, sealed: moved })).mnemonic.reveal(),
      mnemonic.reveal(),
    )
    await assert.rejects(old.derive({ ...place, sealed: moved }, path), /another master key/)
  })
})
