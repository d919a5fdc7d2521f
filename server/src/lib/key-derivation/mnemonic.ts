import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import type { mnemonicLanguages } from '@millseal/contract'
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist as czech } from '@scure/bip39/wordlists/czech.js'
import { wordlist as english } from '@scure/bip39/wordlists/english.js'
import { wordlist as french } from '@scure/bip39/wordlists/french.js'
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js'
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js'
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js'
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese.js'
import { wordlist as simplified } from '@scure/bip39/wordlists/simplified-chinese.js'
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js'
import { wordlist as traditional } from '@scure/bip39/wordlists/traditional-chinese.js'

type Language = (typeof mnemonicLanguages)[number]

const wordLists: Readonly<Record<Language, string[]>> = {
  english,
  japanese,
  korean,
  spanish,
  chinese_simplified: simplified,
  chinese_traditional: traditional,
  french,
  italian,
  czech,
  portuguese,
}

/** BIP-39: the words for 16 to 32 random bytes. Japanese words are separated by the ideographic space. */
export const wordsOf = (entropy: Uint8Array, language: Language): string =>
  entropyToMnemonic(entropy, wordLists[language])

/** Undefined if a word is not in the list, the number of words is not allowed or the checksum is wrong. */
export const entropyOf = (mnemonic: string, language: Language): Uint8Array | undefined => {
  const words = normalized(mnemonic).trim().toLowerCase().split(/\s+/).join(' ')
  try {
    return mnemonicToEntropy(words, wordLists[language])
  } catch {
    // Drop the error: its message quotes a word of the mnemonic.
    return undefined
  }
}

const stretch = promisify(pbkdf2)
const rounds = 2_048
const seedBytes = 64

/** Expects words as `wordsOf` writes them. Runs on the thread pool, because it takes 1.5 ms of CPU time. */
export const seedOf = (mnemonic: string, password = ''): Promise<Buffer> =>
  stretch(normalized(mnemonic), `mnemonic${normalized(password)}`, rounds, seedBytes, 'sha512')

const normalized = (text: string): string => text.normalize('NFKD')
