import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { inspect } from 'node:util'
import { Secret } from '../../lib/secret.ts'
import { SealBroken } from '../../ports/keystore/keystore.ts'
import { createLocalKeystore, ensureMasterKeyFile } from './local.ts'

const newKeystore = () => createLocalKeystore(new Secret(randomBytes(32)))

describe('the local keystore', () => {
  test('opens what it sealed, and seals the same plain text differently each time', () => {
    const keystore = newKeystore()
    const plain = Buffer.from('a secret')
    const [one, two] = [keystore.seal(plain, 'row 1'), keystore.seal(plain, 'row 1')]
    assert.deepEqual(Buffer.from(keystore.open(one, 'row 1')), plain)
    assert.notDeepEqual(one, two)
    assert.ok(!Buffer.from(one).includes(plain))
  })

  test('a sealed value moved to another row, changed by one bit, cut, or under another key does not open', () => {
    const keystore = newKeystore()
    const sealed = Buffer.from(keystore.seal(Buffer.from('a secret'), 'row 1'))
    assert.throws(() => keystore.open(sealed, 'row 2'), SealBroken)
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      assert.throws(() => keystore.open(changed, 'row 1'), SealBroken, `byte ${at}`)
    }
    for (const length of [0, 1, 20, sealed.length - 1]) {
      assert.throws(() => keystore.open(sealed.subarray(0, length), 'row 1'), SealBroken)
    }
    assert.throws(() => newKeystore().open(sealed, 'row 1'), /another master key/)
  })

  test('the key file is made once, readable by its owner only, and never printed', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'millseal-key-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const first = ensureMasterKeyFile(folder)
    const second = ensureMasterKeyFile(folder)
    assert.deepEqual(first.reveal(), second.reveal())
    assert.equal(statSync(join(folder, 'master.key')).mode & 0o777, 0o600)
    for (const printed of [String(first), JSON.stringify({ first }), inspect({ first }), `${first}`]) {
      assert.match(printed, /\[secret\]/)
      assert.ok(!printed.includes(first.reveal().toString('base64')))
    }
  })
})
