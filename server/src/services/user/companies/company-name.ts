import { because } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'

/** Control characters, those that change the direction of text or cannot be seen, and the brackets of markup. */
const misleading =
  /[\p{Cc}\p{Zl}\p{Zp}<>\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]/u

/** Others read the name in mails, in lists and on paper. */
export const assertPlainCompanyName = (name: string): void => {
  const found = misleading.exec(name)?.[0].codePointAt(0)
  if (found === undefined) return
  const character = `U+${found.toString(16).toUpperCase().padStart(4, '0')}`
  throw new Problem('validation_failed', {
    reasons: [because('company_name_has_character', { character, place: '/name' })],
  })
}
