import { randomInt } from 'node:crypto'
import { Secret } from '../../../lib/secret.ts'

/** Base32 as Crockford writes it: no letter that can be mistaken for a digit. Sixteen of them are 80 random bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 16
const groupLength = 4

/** In groups, as it is read and written down. */
export const newRecoveryCode = (): Secret => {
  const characters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)])
  const groups = Array.from({ length: length / groupLength }, (_, group) =>
    characters.slice(group * groupLength, (group + 1) * groupLength).join(''),
  )
  return new Secret(groups.join('-'))
}

/** What is hashed: without groups, letter case and the usual slips of reading, so that none of them matters. */
export const normalizedRecoveryCode = (code: Secret): Secret =>
  new Secret(
    code.reveal().toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1'),
  )
