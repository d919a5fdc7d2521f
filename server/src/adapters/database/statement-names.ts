/** What to prepare a statement as; nothing for one that is not worth it. */
export type StatementNames = (text: string, parameters: readonly unknown[]) => { readonly name?: string }

/** Each connection keeps a plan for each of them, and texts with lists in them are without number. */
const mostNames = 500

/** One statement that reads or writes rows: neither `begin` nor several in one text, which cannot be prepared. */
const isOfRows = /^\s*(?:with|select|insert|update|delete)\s[^;]*;?\s*$/i

/** The database parses and plans a statement with a name once for each connection, and not at every call. */
export const nameStatements = (): StatementNames => {
  const names = new Map<string, { readonly name: string }>()
  return (text, parameters) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= mostNames) return known ?? {}
    if (parameters.length === 0 && !isOfRows.test(text)) return {}
    const made = { name: `s${names.size}` }
    names.set(text, made)
    return made
  }
}
