export type FormSearch = {
  readonly family?: string | undefined
  readonly version?: string | undefined
  /** A draft of this browser. */
  readonly draft?: string | undefined
  /** The certificate that the new one is like. */
  readonly from?: string | undefined
  /** The certificate that the new one will replace. */
  readonly replaces?: string | undefined
}

const textIn = (search: Readonly<Record<string, unknown>>, name: string): string | undefined =>
  typeof search[name] === 'string' && search[name] !== '' ? search[name] : undefined

export const readFormSearch = (search: Readonly<Record<string, unknown>>): FormSearch => ({
  family: textIn(search, 'family'),
  version: textIn(search, 'version'),
  draft: textIn(search, 'draft'),
  from: textIn(search, 'from'),
  replaces: textIn(search, 'replaces'),
})
