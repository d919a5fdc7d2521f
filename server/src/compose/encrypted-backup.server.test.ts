import assert from 'node:assert/strict'
import { appendFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { openInstallation } from '../../test/installation.ts'
import { decryptStream, encryptStream } from '../lib/encrypted-stream.ts'
import { Secret } from '../lib/secret.ts'
import { backUp } from './backup.ts'
import { restore } from './restore.ts'

const key = new Secret('a key of a backup')

const inParts = async function* (bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const encrypted = (bytes: Buffer) => buffer(encryptStream(inParts(bytes, 10_000), key))
const decrypted = (bytes: Buffer, by = key) => buffer(decryptStream(inParts(bytes, 7_777), by))

const chunk = 65_536 + 16
const header = 18 + 32 + 32

describe('an encrypted stream', () => {
  test('gives back what was encrypted, at every size around a chunk', async () => {
    for (const size of [0, 1, 65_535, 65_536, 65_537, 200_000]) {
      const bytes = Buffer.alloc(size, `${size}`)
      const secret = await encrypted(bytes)
      assert.equal(secret.includes(Buffer.alloc(64, `${size}`)), false)
      assert.ok((await decrypted(secret)).equals(bytes), String(size))
    }
  })

  test('refuses another key, and whatever was cut, changed, moved or appended', async () => {
    const secret = await encrypted(Buffer.alloc(3 * 65_536, 'x'))
    await assert.rejects(decrypted(secret, new Secret('another key of it')), /encrypted with another key/)
    const first = secret.subarray(0, header)
    const [a, b, c] = [0, 1, 2].map((at) => secret.subarray(header + at * chunk, header + (at + 1) * chunk))
    assert.ok(a && b && c)
    const changed = Buffer.from(secret)
    changed.writeUInt8(changed.readUInt8(header + 5) ^ 1, header + 5)
    const forged = [
      secret.subarray(0, -1),
      first,
      Buffer.concat([first, a, b]),
      Buffer.concat([first, b, a, c]),
      Buffer.concat([first, a, c]),
      Buffer.concat([secret, Buffer.from('x')]),
      changed,
      // The first bytes of a tag, which are easier to guess than all of them.
      (await encrypted(Buffer.alloc(0))).subarray(0, header + 4),
    ]
    for (const one of forged) await assert.rejects(decrypted(one), /damaged, or its end is missing/)
    for (const one of [Buffer.from('no backup'), Buffer.alloc(500), Buffer.alloc(0)])
      await assert.rejects(decrypted(one), /is not an encrypted backup/)
  })
})

describe('an encrypted backup', () => {
  test('is one file, is restored with its key, and never with another one or without its end', async () => {
    await using installed = await openInstallation()
    const config = installed.settingsOf('postgres')
    await installed.record(config)
    const [backup, keyFile, wrong, short] = ['backup', 'key', 'wrong', 'short'].map((name) =>
      join(installed.path, name),
    )
    assert.ok(backup && keyFile && wrong && short)
    await writeFile(keyFile, 'a key with sixteen characters\n')
    await writeFile(wrong, 'another key with as many\n')
    await writeFile(short, 'short\n')
    const saving = { name: backup, includeKeys: false }
    await assert.rejects(backUp(config, { ...saving, keyFile: short }), /at least 16 characters/)
    await backUp(config, { ...saving, keyFile })
    assert.deepEqual(
      (await readdir(installed.path)).filter((name) => name.startsWith('backup')),
      ['backup'],
    )
    assert.equal((await readFile(backup)).includes('"formatVersion"'), false)
    await assert.rejects(backUp(config, { ...saving, keyFile }), /exists: choose a new name/)

    const target = { ...installed.settingsOf('folder', 'restored'), databaseUrl: undefined }
    await assert.rejects(restore(target, { name: backup, keyFile: wrong }), /encrypted with another key/)
    const { length } = await readFile(backup)
    const end = (await readFile(backup)).subarray(-100)
    await truncate(backup, length - 100)
    await assert.rejects(restore(target, { name: backup, keyFile }), /damaged, or its end is missing/)
    await appendFile(backup, end)
    assert.deepEqual((await restore(target, { name: backup, keyFile })).problems, [])
    assert.deepEqual(
      (await readdir(installed.path)).filter((name) => name.endsWith('.restoring')),
      [],
    )
    assert.equal(await installed.record(target), 4)
  })
})
