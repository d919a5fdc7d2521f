import type { texts as audit } from './en/audit.ts'
import type { texts as automation } from './en/automation.ts'
import type { texts as certificates } from './en/certificates.ts'
import type { texts as common } from './en/common.ts'
import type { texts as company } from './en/company.ts'
import type { texts as customers } from './en/customers.ts'
import type { texts as desk } from './en/desk.ts'
import type { texts as events } from './en/events.ts'
import type { texts as fileTexts } from './en/files.ts'
import type { texts as findings } from './en/findings.ts'
import type { texts as health } from './en/health.ts'
import type { texts as keys } from './en/keys.ts'
import type { texts as mails } from './en/mails.ts'
import type { texts as me } from './en/me.ts'
import type { texts as operator } from './en/operator.ts'
import type { texts as form } from './en/form.ts'
import type { texts as orders } from './en/orders.ts'
import type { texts as problems } from './en/problems.ts'
import type { texts as replace } from './en/replace.ts'
import type { texts as requirements } from './en/requirements.ts'
import type { texts as savedMails } from './en/saved-mails.ts'
import type { texts as sentences } from './en/sentences.ts'
import type { texts as shell } from './en/shell.ts'
import type { texts as start } from './en/start.ts'
import type { texts as transactions } from './en/transactions.ts'
import type { texts as webhooks } from './en/webhooks.ts'

/** The languages of the console. To add one, add a folder beside `en` and an entry here. */
export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

/** The texts by area, which are the files of a language. A screen loads the areas that its route names. */
export type Texts = {
  readonly audit: typeof audit
  readonly automation: typeof automation
  readonly certificates: typeof certificates
  readonly common: typeof common
  readonly company: typeof company
  readonly customers: typeof customers
  readonly desk: typeof desk
  readonly events: typeof events
  readonly files: typeof fileTexts
  readonly findings: typeof findings
  readonly health: typeof health
  readonly keys: typeof keys
  readonly mails: typeof mails
  readonly me: typeof me
  readonly operator: typeof operator
  readonly form: typeof form
  readonly orders: typeof orders
  readonly replace: typeof replace
  readonly problems: typeof problems
  readonly requirements: typeof requirements
  readonly 'saved-mails': typeof savedMails
  readonly sentences: typeof sentences
  readonly shell: typeof shell
  readonly start: typeof start
  readonly transactions: typeof transactions
  readonly webhooks: typeof webhooks
}
export type Area = keyof Texts

const files = import.meta.glob<{ texts: Texts[Area] }>('./*/*.ts')

export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value)

export const loadArea = async (language: Language, area: Area): Promise<Texts[Area]> => {
  const load = files[`./${language}/${area}.ts`]
  if (load === undefined) throw new Error(`There are no texts ${language}/${area}`)
  return (await load()).texts
}
