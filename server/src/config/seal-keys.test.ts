import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { certify, extensions, type TestCertificate } from '@millseal/proof/node/stamp-authority'
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/temporary-folder.ts'
import { ConfigError, readConfig } from '../config.ts'
import { readSealKeys } from './seal-keys.ts'

const root = certify({ subject: 'Root', more: [extensions.authority] })
const mill = certify({ subject: 'Mill', by: root, more: [extensions.usage(0xc0)] })
const other = certify({ subject: 'Other', by: root, more: [extensions.usage(0xc0)] })
const forStamps = certify({ subject: 'Stamps', by: root })
const pemOf = (...certificates: readonly TestCertificate[]): string =>
  certificates
    .map(({ bytes }) => Buffer.from(bytes).toString('base64'))
    .map((text) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`)
    .join('')
const company = '01997e02-90ab-7cde-8f01-23456789abcd'

describe('the file of seals', () => {
  let folder: TemporaryFolder
  before(async () => {
    folder = await makeTemporaryFolder()
    const files = {
      'mill.key': mill.key.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      'other.key': other.key.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      'no.key': 'no key',
      'mill.pem': pemOf(mill, root),
      'turned.pem': pemOf(root, mill),
      'mixed.pem': pemOf(mill, other),
      'stamps.pem': pemOf(forStamps),
      'no.pem': 'no certificate',
    }
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder.path, name), content)
  })
  after(() => folder[Symbol.asyncDispose]())

  const read = async (content: string, environment = {}) => {
    const path = join(folder.path, 'seals')
    await writeFile(path, content)
    return readSealKeys(readConfig({ MILLSEAL_SEALS: path, ...environment }))
  }

  test('names each company and mode with its key, in a file or in the token, and its certificates', async () => {
    const token = { MILLSEAL_PKCS11_MODULE: '/module', MILLSEAL_PKCS11_PIN: '1234' }
    const found = await read(
      `# two\nseal ${company} live pkcs11:mill mill.pem\nseal ${company}  test mill.key ${join(folder.path, 'mill.pem')}\n`,
      token,
    )
    assert.deepEqual(
      found.map(({ mode, kind, certificates, key }) => [mode, kind, certificates.length, 'label' in key]),
      [
        ['live', 'ec', 1, true],
        ['test', 'ec', 1, false],
      ],
    )
    assert.deepEqual(readSealKeys(readConfig({})), [])
  })

  test('that cannot be used is refused with the setting, the file, the line and the reason', async () => {
    const line = (key: string, chain: string) => `seal ${company} live ${key} ${chain}\n`
    const usual = line('mill.key', 'mill.pem')
    const cases: readonly (readonly [string, RegExp])[] = [
      [usual + usual, /there are two seals of 01997e02-90ab-7cde-8f01-23456789abcd in live mode/],
      [usual.replace('seal ', ''), /line 1: expected "seal <id of the company> <live or test>/],
      [usual.replace('live', 'both'), /line 1: expected/],
      [usual.replace(company, 'mill'), /line 1: expected/],
      [`\n${usual.trim()} more\n`, /line 2: expected/],
      [line('missing.key', 'mill.pem'), /missing\.key cannot be read \(ENOENT\)/],
      [line('no.key', 'mill.pem'), /no\.key has no private key in PEM without a passphrase/],
      [line('other.key', 'mill.pem'), /the key in .*other\.key is not that of the first certificate/],
      [line('mill.key', 'no.pem'), /no\.pem cannot be used: There is no certificate/],
      [
        line('mill.key', 'turned.pem'),
        /turned\.pem cannot be used: The certificate is one of a certification/,
      ],
      [line('mill.key', 'mixed.pem'), /mixed\.pem cannot be used: The certificates are not a chain/],
      [line('mill.key', 'stamps.pem'), /has neither digitalSignature nor nonRepudiation/],
      [line('pkcs11:mill', 'mill.pem'), /line 1: pkcs11: needs MILLSEAL_PKCS11_MODULE/],
    ]
    for (const [content, reason] of cases)
      await assert.rejects(read(content), (error) => {
        assert.ok(error instanceof ConfigError)
        assert.ok(error.message.startsWith('MILLSEAL_SEALS: '), error.message)
        assert.match(error.message, reason)
        assert.ok(!error.message.includes('PRIVATE'))
        return true
      })
  })
})
