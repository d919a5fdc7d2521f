/** Finished markup. Only this file creates it, so every other value in a template is escaped as text. */
class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

export type { Markup }

type Part = Markup | string | number | undefined | readonly Part[]

/** A template that escapes every inserted value except markup. Quote all attributes. */
export const markup = (literals: TemplateStringsArray, ...parts: readonly Part[]): Markup => {
  let text = literals[0] ?? ''
  for (let index = 0; index < parts.length; index += 1)
    text += render(parts[index]) + (literals[index + 1] ?? '')
  return new Markup(text)
}

const render = (part: Part): string => {
  if (part === undefined) return ''
  if (typeof part === 'string') return escape(part)
  if (part instanceof Markup) return part.toString()
  if (typeof part === 'number') return String(part)
  let text = ''
  for (const one of part) text += render(one)
  return text
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Controls are dropped; characters that reorder text are shown, because `0.51` must not read as `15.0`. */
const special = /[&<>"'\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Most texts have nothing to escape. Finding that out without the regular expression takes half the time. */
const escape = (text: string): string => (isPlain(text) ? text : escapeSpecial(text))

/** No special character is above U+206F, and none between the controls and U+2000. */
const isPlain = (text: string): boolean => {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const isUsual = code < 0x7f ? plainAscii[code] === 1 : code > 0x9f && (code < 0x2000 || code > 0x206f)
    if (!isUsual) return false
  }
  return true
}

const plainAscii = Uint8Array.from({ length: 0x7f }, (_, code) =>
  code >= 0x20 && !'&<>"\''.includes(String.fromCodePoint(code)) ? 1 : 0,
)

const escapeSpecial = (text: string): string =>
  text.replace(special, (character) => {
    const entity = entities[character]
    if (entity !== undefined) return entity
    if (character === '\n') return character
    if (character === '\t') return ' '
    const codePoint = character.charCodeAt(0)
    return codePoint < 0xa0 ? '' : `[U+${codePoint.toString(16).toUpperCase()}]`
  })

/** The address of a file inside the page. Base64 needs no escape: in quotes, only a quote would end it. */
export const dataAddress = (type: string, base64: string): Markup =>
  new Markup(`data:${escape(type)};base64,${base64.includes('"') ? escape(base64) : base64}`)

/** A style element with trusted CSS, not escaped. */
export const styleElement = (css: string): Markup => new Markup(`<style>${css}</style>`)
