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
  return typeof part === 'number' ? String(part) : part.map(render).join('')
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

/** Most texts have nothing to escape, which a test finds out faster. */
const plain = /^[^&<>"'\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u

const escape = (text: string): string => (plain.test(text) ? text : escapeSpecial(text))

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
