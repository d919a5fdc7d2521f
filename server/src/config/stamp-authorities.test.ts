import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { certify, extensions } from '@millseal/proof/node/stamp-authority'
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/temporary-folder.ts'
import { ConfigError, readConfig } from '../config.ts'
import { readStampAuthorities } from './stamp-authorities.ts'

const { bytes: root } = certify({ subject: 'Root', more: [extensions.authority] })
const pem = `-----BEGIN CERTIFICATE-----\n${Buffer.from(root).toString('base64')}\n-----END CERTIFICATE-----\n`

describe('the file of authorities for time stamps', () => {
  let folder: TemporaryFolder
  before(async () => {
    folder = await makeTemporaryFolder()
    await writeFile(join(folder.path, 'root.pem'), pem)
    await writeFile(join(folder.path, 'root.der'), root)
    await writeFile(join(folder.path, 'no.pem'), 'no certificate')
  })
  after(() => folder[Symbol.asyncDispose]())

  const read = async (content: string) => {
    const path = join(folder.path, 'stamps')
    await writeFile(path, content)
    return readStampAuthorities(readConfig({ MILLSEAL_STAMPS: path }))
  }

  test('names each with its address and the file of its root, in PEM or DER, beside it or anywhere', async () => {
    const found = await read(
      `# two\nauthority one https://tsa.example/a?b root.pem\n\n authority two  http://tsa.example ${join(folder.path, 'root.der')} \n`,
    )
    assert.deepEqual(
      found.map(({ authority, url }) => [
        authority.name,
        url,
        Buffer.from(authority.root.bytes).equals(root),
      ]),
      [
        ['one', 'https://tsa.example/a?b', true],
        ['two', 'http://tsa.example', true],
      ],
    )
    assert.deepEqual(readStampAuthorities(readConfig({})), [])
  })

  test('that cannot be used is refused with the setting, the file, the line and the reason', async () => {
    const line = 'authority one https://tsa.example root.pem\n'
    const cases: readonly (readonly [string, RegExp])[] = [
      ['', /names 0 authorities; allowed are 1 to 8/],
      [Array.from({ length: 9 }, (_, at) => line.replace('one', `a${at}`)).join(''), /names 9 authorities/],
      [line + line, /two authorities have the name one/],
      [
        'one https://tsa.example root.pem\n',
        /line 1: expected "authority <name> <address> <file of its root certificate>"/,
      ],
      ['authority one https://tsa.example\n', /line 1: expected/],
      ['\nauthority one https://tsa.example root.pem more\n', /line 2: expected/],
      ['authority one tsa.example root.pem\n', /address must begin with https:\/\/ or http:\/\//],
      ['authority one ftp://tsa.example root.pem\n', /address must begin/],
      ['authority one https://user:secret@tsa.example root.pem\n', /without user and password/],
      ['authority one https://tsa.example missing.pem\n', /missing\.pem cannot be read \(ENOENT\)/],
      [
        'authority one https://tsa.example no.pem\n',
        /no\.pem cannot be used: it is not a certificate in PEM or DER/,
      ],
    ]
    for (const [content, reason] of cases)
      await assert.rejects(
        read(content),
        (error) =>
          error instanceof ConfigError &&
          error.message.startsWith('MILLSEAL_STAMPS: ') &&
          !error.message.includes('secret') &&
          reason.test(error.message),
        reason.source,
      )
    const missing = readConfig({ MILLSEAL_STAMPS: join(folder.path, 'missing') })
    assert.throws(
      () => readStampAuthorities(missing),
      /MILLSEAL_STAMPS: the file .*missing cannot be read \(ENOENT\)/,
    )
  })
})
