import { escapeHtml } from '@millseal/families'

/** Finished markup. Only this file creates it; every other value in a template is text and is escaped. */
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

/** A template that escapes every value except markup. Attributes must be quoted. */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(literals.map((literal, index) => `${literal}${render(parts[index])}`).join(''))

const render = (part: Part): string => {
  if (part === undefined) return ''
  if (part instanceof Html) return part.toString()
  if (typeof part === 'string') return escapeHtml(part)
  return typeof part === 'number' ? String(part) : part.map(render).join('')
}
