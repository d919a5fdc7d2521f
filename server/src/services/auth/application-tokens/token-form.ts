import { JsonError, readJson } from '@millseal/proof'

/** What a header of ours says, and all it says: nothing in it may point to a key. */
const headerNames = ['alg', 'kid', 'typ']
const maxDepth = 8

/**
 * Whether this is written as we write tokens: RFC 7515 §7.1 in its one canonical spelling, three names in the header,
 * no name twice. Every token then has one text only, and none that a laxer reader would understand otherwise.
 */
export const isWrittenAsOurs = (compact: string): boolean => {
  const parts = compact.split('.')
  const bytes = parts.map((part) => Buffer.from(part, 'base64url'))
  if (parts.length !== 3 || bytes.some((part, index) => part.toString('base64url') !== parts[index])) {
    return false
  }
  const [header, claims] = bytes.map(namesIn)
  return claims !== undefined && header?.toSorted().join() === headerNames.join()
}

/** Of a JSON object; a byte order mark before it is not ours either. */
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
