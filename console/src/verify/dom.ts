/** An element with attributes and listeners. An attribute that is false or undefined is left out. */
export const h = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Readonly<Record<string, string | boolean | ((event: Event) => void) | undefined>> = {},
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[Name] => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'function') made.addEventListener(key, value)
    else if (value === true) made.setAttribute(key, '')
    else if (typeof value === 'string') made.setAttribute(key, value)
  }
  made.append(...children.filter((child) => child !== undefined))
  return made
}

/** Rows of a list of facts. A value that is not known has no row. */
export const factRows = (rows: readonly (readonly [string, string | undefined])[]): HTMLElement[] =>
  rows.flatMap(([label, value]) => (value === undefined ? [] : [h('dt', {}, label), h('dd', {}, value)]))

/** Saves a text as a file on the device. */
export const save = (name: string, type: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type }))
  h('a', { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
