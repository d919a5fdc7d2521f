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
export const utf16 = (value: string): string => {
  let hex = ''
  for (let at = 0; at < value.length; at += 1) hex += hex4(value.charCodeAt(at))
  return hex
}

/** A number of two bytes, written inside the parentheses of a string. */
export const twoBytes = (number: number): Source => byteSource(number >> 8) + byteSource(number & 0xff)

/** A byte that is not ASCII, or would end or change in a string, is escaped (ISO 32000-1, 7.3.4.2). */
const byteSource = (byte: number): Source =>
  byte > 126 || unsafeBytes.has(byte) ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCodePoint(byte)

const unsafeBytes = new Set([...'()\\\r\n'].map((character) => character.codePointAt(0)))

export const hex4 = (number: number): string => number.toString(16).padStart(4, '0')

export const dictionary = (entries: Readonly<Record<string, Source | number | undefined>>): Source => {
  let source = '<<'
  for (const [key, value] of Object.entries(entries)) {
    if (value !== undefined) source += `/${key} ${value}`
  }
  return `${source}>>`
}

export const array = (items: readonly (Source | number)[]): Source => `[${items.join(' ')}]`

/** A number with at most two decimals, which is a quarter of the width of a hair. */
export const number = (value: number): string => {
  const hundredths = Math.round(value * 100)
  if (hundredths < 0 || hundredths >= onPaper) return String(hundredths / 100)
  return (written[hundredths] ??= String(hundredths / 100))
}

/** Writing a fraction takes long, and all places on a sheet of A4 are below 842 points. */
const onPaper = 84_200
const written: (string | undefined)[] = []

/** Whether a text has only visible ASCII characters and spaces. */
export const isAscii = (value: string): boolean => /^[ -~]*$/u.test(value)

const utf8 = new TextEncoder()
