import { JsonError, readJson } from '@millseal/proof'

/** No other name is allowed in the header, so it cannot point to a key elsewhere. */
const headerNames = ['alg', 'kid', 'typ']
const maxDepth = 8

/**
 * Whether the token is spelled exactly as this server spells tokens: RFC 7515 §7.1 with canonical base64url, three header
 * names and no name twice. Each token then has one spelling, and no laxer reader can understand it differently.
 */
export const isCanonicalToken = (compact: string): boolean => {
  const parts = compact.split('.')
  const bytes = parts.map((part) => Buffer.from(part, 'base64url'))
  if (parts.length !== 3 || bytes.some((part, index) => part.toString('base64url') !== parts[index])) {
    return false
  }
  const [header, claims] = bytes.map(namesIn)
  return claims !== undefined && header?.toSorted().join() === headerNames.join()
}

/** The names in a JSON object. A byte order mark before it is rejected too. */
const namesIn = (bytes: Buffer): readonly string[] | undefined => {
  if (bytes[0] !== openingBrace) return undefined
  try {
    return Object.keys(readJson(bytes, { maxDepth }) ?? {})
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}

const openingBrace = 0x7b
