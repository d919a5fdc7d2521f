import { plainLine } from '@millseal/proof'

export const element = <T extends HTMLElement>(id: string, kind: new () => T): T => {
  const found = document.querySelector(`#${id}`)
  if (!(found instanceof kind)) throw new Error(`The page has no ${id}`)
  return found
}

export const textElement = (name: 'dd' | 'dt' | 'h2' | 'li' | 'p', text: string): HTMLElement => {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

/** A value that is not known has no row. */
export const factRows = (rows: readonly (readonly [string, string | undefined])[]): HTMLElement[] =>
  rows.flatMap(([label, value]) =>
    value === undefined ? [] : [textElement('dt', label), textElement('dd', plainLine(value))],
  )
