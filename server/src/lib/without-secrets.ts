const credentialsInUrl = /(\w:\/\/)[^\s/@]+@/g
/** Longer than an id: tokens, keys and hashes. */
const longWord = /[\w+/=~-]{40,}(\.[\w+/=~-]+)*/g

const hidden = '[hidden]'

/** Masks everything in a message that may be a secret: credentials in addresses, and long words without spaces. */
export const withoutSecrets = (text: string, maxLength: number): string =>
  text.replaceAll(credentialsInUrl, `$1${hidden}@`).replaceAll(longWord, hidden).slice(0, maxLength)
