/** The most similar name; undefined if none is similar. */
export const nearest = (wanted: string, names: readonly string[]): string | undefined => {
  const [best] = names
    .map((name) => ({ name, edits: editsBetween(wanted, name) }))
    .toSorted((one, other) => one.edits - other.edits)
  return best !== undefined && best.edits <= Math.max(1, Math.floor(best.name.length / 3))
    ? best.name
    : undefined
}

/** The Levenshtein distance of the first 40 characters. */
const editsBetween = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, character] of [...one].slice(0, 40).entries()) {
    const next = [at + 1]
    for (let column = 0; column < other.length; column += 1) {
      const replaced = (row[column] ?? 0) + (other[column] === character ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
