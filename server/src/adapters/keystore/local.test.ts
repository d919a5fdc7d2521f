import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import { Secret } from '../../lib/secret.ts'
import { DecryptionFailed } from '../../ports/keystore/keystore.ts'
import { createKeystore, createLocalKeystore } from './local.ts'
import { ensureMasterKeyFile } from './master-key-file.ts'

const newKeystore = () => createLocalKeystore(new Secret(randomBytes(32)))

describe('the local keystore', () => {
  test('decrypts what it encrypted, and encrypts the same plain text differently each time', () => {
    const keystore = newKeystore()
    const plain = Buffer.from('a secret')
    const [one, two] = [keystore.encrypt(plain, 'row 1'), keystore.encrypt(plain, 'row 1')]
    assert.deepEqual(Buffer.from(keystore.decrypt(one, 'row 1')), plain)
    assert.notDeepEqual(one, two)
    assert.ok(!Buffer.from(one).includes(plain))
  })

  test('does not decrypt a value that was moved to another row, changed, truncated or encrypted with another key', () => {
    const keystore = newKeystore()
    const encrypted = Buffer.from(keystore.encrypt(Buffer.from('a secret'), 'row 1'))
    assert.throws(() => keystore.decrypt(encrypted, 'row 2'), DecryptionFailed)
    for (let at = 0; at < encrypted.length; at += 1) {
      const changed = Buffer.from(encrypted)
      changed[at] = (changed[at] ?? 0) ^ 1
      assert.throws(() => keystore.decrypt(changed, 'row 1'), DecryptionFailed, `byte ${at}`)
    }
    for (const length of [0, 1, 20, encrypted.length - 1]) {
      assert.throws(() => keystore.decrypt(encrypted.subarray(0, length), 'row 1'), DecryptionFailed)
    }
    assert.throws(() => newKeystore().decrypt(encrypted, 'row 1'), /another master key/)
  })

  test('decrypts with several keys and encrypts with the first one during a rotation', () => {
    const [before, next] = [new Secret(randomBytes(32)), new Secret(randomBytes(32))]
    const encrypted = createLocalKeystore(before).encrypt(Buffer.from('a secret'), 'row 1')
    const rotating = createLocalKeystore(next, before)
    assert.equal(Buffer.from(rotating.decrypt(encrypted, 'row 1')).toString(), 'a secret')
    assert.equal(rotating.isCurrent(encrypted), false)
    const reEncrypted = rotating.encrypt(Buffer.from('a secret'), 'row 1')
    assert.equal(rotating.isCurrent(reEncrypted), true)
    assert.throws(() => createLocalKeystore(before).decrypt(reEncrypted, 'row 1'), /another master key/)
  })
})

describe('the master key file', () => {
  const fileIn = (t: TestContext) => {
    const folder = mkdtempSync(join(tmpdir(), `millseal-test-${process.pid}-`))
    t.after(() => rmSync(folder, { recursive: true }))
    return folder
  }

  test('is created once, is readable by its owner only, and is never printed', (t) => {
    const folder = fileIn(t)
    const first = ensureMasterKeyFile(folder).read().current
    const second = ensureMasterKeyFile(folder).read().current
    assert.deepEqual(first.reveal(), second.reveal())
    assert.equal(statSync(join(folder, 'master.key')).mode & 0o777, 0o600)
    for (const printed of [String(first), JSON.stringify({ first }), inspect({ first }), `${first}`]) {
      assert.match(printed, /\[secret\]/)
      assert.ok(!printed.includes(first.reveal().toString('base64')))
    }
  })

  test('is used from the next call on after a rotation by another process, which continues after a crash', (t) => {
    const folder = fileIn(t)
    const server = createKeystore(ensureMasterKeyFile(folder).read)
    const old = server.encrypt(Buffer.from('old'), 'row')
    ensureMasterKeyFile(folder).begin()
    assert.equal(server.isCurrent(old), false)
    const fresh = server.encrypt(Buffer.from('fresh'), 'row')
    ensureMasterKeyFile(folder).begin()
    assert.ok(server.isCurrent(fresh), 'the second run continues with the key of the first')
    assert.equal(Buffer.from(server.decrypt(old, 'row')).toString(), 'old')
    const [kept = '', ...more] = ensureMasterKeyFile(folder).retire()
    assert.deepEqual(more, [])
    assert.equal(statSync(kept).mode & 0o777, 0o600)
    assert.throws(() => server.decrypt(old, 'row'), /another master key/)
    assert.equal(Buffer.from(server.decrypt(fresh, 'row')).toString(), 'fresh')
  })

  test('is rejected with its name if it contains no key, without showing its content', (t) => {
    const folder = fileIn(t)
    writeFileSync(join(folder, 'master.key'), 'c2hvcnQ=\n')
    assert.throws(() => ensureMasterKeyFile(folder), /master\.key must contain one key of 32 bytes in base64/)
  })
})
