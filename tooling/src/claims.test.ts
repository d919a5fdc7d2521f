import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const read = (file: string): Promise<string | undefined> =>
  readFile(join(root, file), 'utf8').catch(() => undefined)

type Claim = {
  readonly line: number
  readonly says: string
  readonly tests: readonly { readonly file: string; readonly title: string }[]
}

/** The rows of all tables whose last column is `test`. */
const claimsOf = (page: string): Claim[] => {
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
const unproven = async (claims: readonly Claim[]): Promise<string[]> => {
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

describe('the claims of docs/security-model.md', () => {
  test('are each followed by tests that exist', async () => {
    const claims = claimsOf(await readFile(join(root, 'docs/security-model.md'), 'utf8'))
    assert.ok(claims.length >= 32, `${claims.length} claims`)
    assert.deepEqual(await unproven(claims), [])
  })

  test('without a test, with another file, or with a test that nobody wrote, are reported', async () => {
    const unwritten = ['what', 'nobody', 'tests'].join(' ')
    for (const cell of [
      '',
      'by design',
      `[x.test.ts](../tooling/src/claims.test.ts): “${unwritten}”`,
      '[x.test.ts](../tooling/src/missing.test.ts): “without a test”',
      '[asvs.ts](../tooling/src/asvs.ts): “export”',
    ]) {
      const claims = claimsOf(`| claim | test |\n|---|---|\n| It is so. | ${cell} |\n`)
      assert.equal(claims.length, 1, cell)
      assert.equal((await unproven(claims)).length, 1, cell)
    }
    assert.deepEqual(claimsOf('| level | what |\n|---|---|\n| L1 | nothing |\n'), [])
  })
})
