export type Claim = {
  readonly line: number
  readonly says: string
  readonly tests: readonly { readonly file: string; readonly title: string }[]
}

/** The rows of all tables whose last column is `test`. */
export const claimsOf = (page: string): Claim[] => {
  let isClaims = false
  return page.split('\n').flatMap((text, at): Claim[] => {
    if (!text.startsWith('|')) {
      isClaims = false
      return []
    }
    const cells = text.split('|').slice(1, -1)
    const last = cells.at(-1)?.trim() ?? ''
    if (last === 'test') isClaims = true
    if (!isClaims || last === 'test' || /^-+$/.test(last)) return []
    return [{ line: at + 1, says: cells[0]?.trim() ?? '', tests: testsIn(last) }]
  })
}

const testsIn = (cell: string): Claim['tests'] =>
  [...cell.matchAll(/\]\(\.\.\/(?<file>[^)]+)\): “(?<title>[^”]+)”/g)].map(({ groups }) => ({
    file: groups?.['file'] ?? '',
    title: groups?.['title'] ?? '',
  }))

/** Claims without a test, and tests that do not exist. A vector counts as a test: `proof` and `verifiers` run them all. */
export const unproven = async (
  claims: readonly Claim[],
  read: (file: string) => Promise<string | undefined>,
): Promise<string[]> => {
  const problems: string[] = []
  for (const { line, says, tests } of claims) {
    if (tests.length === 0) problems.push(`${line}: no test: ${says}`)
    for (const { file, title } of tests) {
      const isTest = /\.test\.ts$|^proof\/vectors\/[\w-]+\.json$/.test(file)
      const source = isTest ? await read(file) : undefined
      if (source === undefined || !source.includes(title)) problems.push(`${line}: ${file}: ${title}`)
    }
  }
  return problems
}
