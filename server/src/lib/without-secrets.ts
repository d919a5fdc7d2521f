import type { Reason, ReasonValue } from '@millseal/contract/reasons'

const credentialsInUrl = /(\w:\/\/)[^\s/@]+@/g
/** Longer than an id: tokens, keys and hashes. */
const longWord = /[\w+/=~-]{40,}(\.[\w+/=~-]+)*/g

const hidden = '[hidden]'

/** Masks everything in a message that may be a secret: credentials in addresses, and long words without spaces. */
export const withoutSecrets = (text: string, maxLength: number): string =>
  text.replaceAll(credentialsInUrl, `$1${hidden}@`).replaceAll(longWord, hidden).slice(0, maxLength)

const maxValueLength = 300

/** Does the same to the values of a reason, and to the reasons in it. */
export const reasonWithoutSecrets = ({ code, values }: Reason): Reason => ({
  code,
  values: Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, valueWithoutSecrets(value)]),
  ),
})

const valueWithoutSecrets = (value: ReasonValue): ReasonValue => {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? withoutSecrets(value, maxValueLength) : reasonWithoutSecrets(value)
}
