/** What to prepare a statement as; nothing for one that is not worth it. */
export type StatementNames = (text: string, parameters: readonly unknown[]) => { readonly name?: string }

/** Each connection keeps a plan for each of them, and texts with lists in them are without number. */
const mostNames = 500

/** The database parses and plans a statement with a name once for each connection, and not at every call. */
export const nameStatements = (): StatementNames => {
  const names = new Map<string, { readonly name: string }>()
  return (text, parameters) => {
    const known = names.get(text)
    if (known !== undefined || parameters.length === 0 || names.size >= mostNames) return known ?? {}
    const made = { name: `s${names.size}` }
    names.set(text, made)
    return made
  }
}
