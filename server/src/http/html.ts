/** Markup as it goes out. Only this file makes it, so that whatever else meets a template is text and is escaped. */
class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

export type { Html }

type Part = Html | string | number | undefined | readonly Part[]

/** A template of markup: what is put into it is text, unless it is markup itself. Attributes must be quoted. */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(literals.map((literal, index) => `${literal}${render(parts[index])}`).join(''))

const render = (part: Part): string => {
  if (part === undefined) return ''
  if (part instanceof Html) return part.toString()
  if (typeof part === 'string') return escape(part)
  return typeof part === 'number' ? String(part) : part.map(render).join('')
}

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
