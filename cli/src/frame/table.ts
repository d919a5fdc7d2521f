/** Columns that share the width of a terminal by their content; into a pipe, values between tabs and none cut off. */
export const tableOf = (
  rows: readonly Readonly<Record<string, string>>[],
  { columns, width }: { readonly columns: readonly string[]; readonly width: number | undefined },
): string => {
  const cells = rows.map((row) => columns.map((column) => (row[column] ?? '').replaceAll(/\s+/g, ' ')))
  if (width === undefined) return cells.map((line) => `${line.join('\t')}\n`).join('')
  const all = [columns.map((column) => column.toUpperCase()), ...cells]
  const shown = columnsThatFit(all, width)
  return all
    .map((line) =>
      shown
        .map(({ at, size }) => cut(line[at] ?? '', size).padEnd(size))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
}

/** A longer text says less than it takes from the others. */
const widest = 40

/** From the left, as many as have room. */
const columnsThatFit = (lines: readonly (readonly string[])[], width: number) => {
  const sizes = (lines[0] ?? []).map((_, at) =>
    Math.min(widest, Math.max(...lines.map((line) => [...(line[at] ?? '')].length))),
  )
  const shown: { readonly at: number; readonly size: number }[] = []
  let taken = 0
  for (const [at, size] of sizes.entries()) {
    taken += size + (at === 0 ? 0 : 2)
    if (at > 0 && taken > width) break
    shown.push({ at, size })
  }
  return shown
}

const cut = (text: string, size: number): string => {
  const characters = [...text]
  return characters.length <= size ? text : `${characters.slice(0, size - 1).join('')}…`
}
