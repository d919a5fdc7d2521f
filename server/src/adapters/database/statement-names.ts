/** The name to prepare a statement under. No name if preparing it is not useful. */
export type StatementNames = (text: string, parameters: readonly unknown[]) => { readonly name?: string }

/** Each connection keeps a plan for each name, and the number of texts with lists in them is unlimited. */
const maxNames = 500

/** One statement that reads or writes rows. Not `begin`, and not several statements, which cannot be prepared. */
const isOfRows = /^\s*(?:with|select|insert|update|delete)\s[^;]*;?\s*$/i

/** The database parses and plans a named statement once per connection instead of at every call. */
export const nameStatements = (): StatementNames => {
  const names = new Map<string, { readonly name: string }>()
  return (text, parameters) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= maxNames) return known ?? {}
    if (parameters.length === 0 && !isOfRows.test(text)) return {}
    const made = { name: `s${names.size}` }
    names.set(text, made)
    return made
  }
}
