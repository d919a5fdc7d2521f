import { mnemonicLanguages } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import type { MnemonicLanguage } from '../../../ports/vault/vault.ts'

export const readLanguage = (given = 'english'): MnemonicLanguage => {
  const language = mnemonicLanguages.find((known) => known === given)
  if (language !== undefined) return language
  throw new Problem('language_unsupported', {
    reasons: [because('mnemonic_language_unknown', { languages: mnemonicLanguages.join(', ') })],
  })
}
