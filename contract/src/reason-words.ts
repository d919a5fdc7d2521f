/** A reason as the API answers it. A client may get one that a newer server knows, or an older one did. */
export type GivenReason = {
  readonly code: string
  readonly values: Readonly<Record<string, unknown>>
}

/** A sentence with `{name}` in place of each value; a function, where it depends on a value. */
export type Template = string | ((values: Readonly<Record<string, unknown>>) => string)
export type Templates = Readonly<Record<string, Template>>

const isReason = (value: unknown): value is GivenReason =>
  typeof value === 'object' && value !== null && 'code' in value && 'values' in value

/** Words that begin so are a sentence of their own, of which the place is the subject. All others go on from the place. */
const ofPlace = '{place}: '

const templateOf = ({ code, values }: GivenReason, templates: Templates): string | undefined => {
  const template = Object.hasOwn(templates, code) ? templates[code] : undefined
  return typeof template === 'function' ? template(values) : template
}

/** Without the place and the label, which a screen may show beside the words. Undefined for a code or values that are unknown. */
export const wordsOf = (reason: GivenReason, templates: Templates): string | undefined => {
  const parts = templateOf(reason, templates)
    ?.replace(ofPlace, '')
    .split(/\{(\w+)\}/)
    .map((part, at) => (at % 2 === 0 ? part : textOf(reason.values[part], templates)))
  return parts?.includes(undefined) ? undefined : parts?.join('')
}

const textOf = (value: unknown, templates: Templates): string | undefined => {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return isReason(value) ? wordsOf(value, templates) : undefined
}

/** The place comes first and the label last: `/Certificate/A03 is missing (Document number)`, `/email: only the user can change it`. */
export const inWords = (reason: GivenReason, templates: Templates): string | undefined => {
  const words = wordsOf(reason, templates)
  const { place, label } = reason.values
  if (words === undefined) return undefined
  const colon = templateOf(reason, templates)?.startsWith(ofPlace) ? ':' : ''
  return [
    typeof place === 'string' && place !== '' ? `${place}${colon}` : undefined,
    words,
    typeof label === 'string' ? `(${label})` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' ')
}
