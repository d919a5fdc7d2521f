import { randomInt } from 'node:crypto'
import { Secret } from '../../../lib/secret.ts'

/** Crockford's Base32: no letter looks like a digit. 16 characters are 80 random bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 16
const groupLength = 4

/** Grouped, so that people can read it and write it down. */
export const newRecoveryCode = (): Secret => {
  const characters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)])
  const groups = Array.from({ length: length / groupLength }, (_, group) =>
    characters.slice(group * groupLength, (group + 1) * groupLength).join(''),
  )
  return new Secret(groups.join('-'))
}

/** The form that is hashed: ignores groups, letter case and characters that look alike. */
export const normalizedRecoveryCode = (code: Secret): Secret =>
  new Secret(
    code.reveal().toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1'),
  )
