import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { mnemonicLanguages } from '@millseal/contract'
import { mnemonicToSeedSync } from '@scure/bip39'
import { entropyOf, seedOf, wordsOf } from './mnemonic.ts'

/** From the English test vectors of BIP-39, whose passphrase is TREZOR. */
const english: readonly (readonly [entropy: string, mnemonic: string, seed: string])[] = [
  [
    '00000000000000000000000000000000',
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
    'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04',
  ],
  [
    '7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f',
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
    '2e8905819b8723fe2c1d161860e5ee1830318dbf49a83bd451cfb8440c28bd6fa457fe1296106559a3c80937a1c1069be3a3a5bd381ee6260e8d9739fce1f607',
  ],
  [
    '0000000000000000000000000000000000000000000000000000000000000000',
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon art',
    'bda85446c68413707090a52022edd26a1c9462295029f2e60cd7c4f2bbd3097170af7a4d73245cafa9c3cca8d561a7c3de6f5d4a10be8ed2a5e608d68f92fcc8',
  ],
  [
    'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo vote',
    'dd48c104698c30cfe2b6142103248622fb7bb0ff692eebb00089b32d22484e1613912f0a5b694407be899ffd31ed3992c456cdf60f5d4564b8ba3f05a69890ad',
  ],
]

/** From the Japanese test vectors of BIP-39. Words and passphrase are not in NFKD, which the seed needs. */
const japanese = {
  entropy: '00000000000000000000000000000000',
  mnemonic:
    'あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あおぞら',
  passphrase: '㍍ガバヴァぱばぐゞちぢ十人十色',
  seed: 'a262d6fb6122ecf45be09c50492b31f92e9beb7d9a845987a02cefda57a15f9c467a17872029a9e92299b5cbdf306e3a0ee620245cbd508959b6cb7ca637bd55',
}

describe('mnemonics', () => {
  test('match the published English vectors: words, entropy and seed', async () => {
    for (const [entropy, mnemonic, seed] of english) {
      assert.equal(wordsOf(Buffer.from(entropy, 'hex'), 'english'), mnemonic)
      assert.equal(Buffer.from(entropyOf(mnemonic, 'english') ?? []).toString('hex'), entropy)
      assert.equal((await seedOf(mnemonic, 'TREZOR')).toString('hex'), seed)
    }
  })

  test('match a published Japanese vector: ideographic spaces, and a passphrase in another Unicode form', async () => {
    const words = wordsOf(Buffer.from(japanese.entropy, 'hex'), 'japanese')
    assert.equal(words.normalize('NFKD'), japanese.mnemonic.normalize('NFKD'))
    assert.equal(words.split('\u3000').length, 12)
    assert.equal((await seedOf(words, japanese.passphrase)).toString('hex'), japanese.seed)
  })

  test('convert 24 words of all ten languages to their entropy and to the seed of another library', async () => {
    for (const language of mnemonicLanguages) {
      const entropy = randomBytes(32)
      const words = wordsOf(entropy, language)
      assert.equal(words.split(/\s/).length, 24, language)
      assert.deepEqual(Buffer.from(entropyOf(words, language) ?? []), entropy, language)
      const carelessly = `  ${words.normalize('NFC').toUpperCase().replaceAll(/\s/g, '\n ')} `
      assert.deepEqual(Buffer.from(entropyOf(carelessly, language) ?? []), entropy, language)
      assert.deepEqual(await seedOf(words, 'pass'), Buffer.from(mnemonicToSeedSync(words, 'pass')), language)
    }
  })

  test('are rejected in another language, with unknown words, with another length or a wrong checksum', () => {
    const [, mnemonic] = english[2] ?? assert.fail()
    const words = mnemonic.split(' ')
    const wrong = [
      '',
      'abandon',
      words.slice(0, 23).join(' '),
      [...words, 'abandon'].join(' '),
      [...words.slice(0, 23), 'abandon'].join(' '),
      [...words.slice(0, 23), 'millseal'].join(' '),
      'a\uD800b',
    ]
    for (const text of wrong) assert.equal(entropyOf(text, 'english'), undefined, text)
    assert.equal(entropyOf(mnemonic, 'spanish'), undefined)
    assert.equal(entropyOf(mnemonic, 'japanese'), undefined)
  })
})
