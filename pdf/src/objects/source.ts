/** The source text of a PDF object. Only ASCII: everything else is written in hexadecimal. */
export type Source = string

/** `/Name`; characters that a name cannot have are written as `#xx`. */
export const name = (text: string): Source =>
  `/${text.replaceAll(/[^\w.+-]/gu, (character) =>
    [...utf8.encode(character)].map((byte) => `#${byte.toString(16).padStart(2, '0')}`).join(''),
  )}`

/** A string of text: as it is if it is ASCII, else UTF-16 in hexadecimal. */
export const text = (value: string): Source => (isAscii(value) ? literal(value) : `<FEFF${utf16(value)}>`)

export const literal = (value: string): Source => `(${value.replaceAll(/[\\()]/gu, String.raw`\$&`)})`

/** The UTF-16 code units of a text in hexadecimal. */
const utf16 = (value: string): string => {
  let hex = ''
  for (let at = 0; at < value.length; at += 1) hex += hex4(value.charCodeAt(at))
  return hex
}

const hex4 = (number: number): string => number.toString(16).padStart(4, '0')

export const dictionary = (entries: Readonly<Record<string, Source | number | undefined>>): Source => {
  let source = '<<'
  for (const [key, value] of Object.entries(entries)) {
    if (value !== undefined) source += `/${key} ${value}`
  }
  return `${source}>>`
}

export const array = (items: readonly (Source | number)[]): Source => `[${items.join(' ')}]`

/** A number with at most two decimals, which is a quarter of the width of a hair. */
export const number = (value: number): string => String(Math.round(value * 100) / 100)

/** Whether a text has only visible ASCII characters and spaces. */
export const isAscii = (value: string): boolean => /^[ -~]*$/u.test(value)

const utf8 = new TextEncoder()
