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
      const isTest = /\.(?:test|suite)\.ts$|^proof\/vectors\/[\w-]+\.json$/.test(file)
      const source = isTest ? await read(file) : undefined
      if (source === undefined || !source.includes(title)) problems.push(`${line}: ${file}: ${title}`)
    }
  }
  return problems
}

type Sentence = { readonly says: string; readonly tests?: readonly string[]; readonly untested?: string }

/** The sentences of a page, without the targets of links. A label in bold is none. */
const sentencesOf = (page: string): string[] =>
  page
    .split(/\n(?:\s*\n|(?=- |#))/)
    .map((block) => block.trim().replace(/^- /, '').replaceAll(/\s+/g, ' '))
    .filter((block) => block !== '' && !/^[#|]/.test(block))
    .flatMap((block) =>
      block
        .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
        .split(/(?<=[.!?](?:\*\*)?) (?=[A-Z`*/\d])/)
        .filter((sentence) => !/^\*\*[^*]+\.\*\*$/.test(sentence)),
    )

/** Sentences that the list lacks or has too many, or that have neither a test nor a reason. */
const unlisted = async (page: string, listed: readonly Sentence[]): Promise<string[]> => {
  const [said, known] = [sentencesOf(page), listed.map(({ says }) => says)]
  const claims = listed.map(({ says, tests = [] }, at) => ({
    line: at + 1,
    says,
    tests: tests.map((proof) => {
      const [file = '', ...title] = proof.split(': ')
      return { file, title: title.join(': ') }
    }),
  }))
  return [
    ...said.filter((sentence) => !known.includes(sentence)).map((sentence) => `not listed: ${sentence}`),
    ...known.filter((sentence) => !said.includes(sentence)).map((sentence) => `not said: ${sentence}`),
    ...(await unproven(claims.filter((_, at) => listed[at]?.untested === undefined))),
  ]
}

describe('the sentences of SECURITY.md', () => {
  test('each have a test or a reason why not', async () => {
    const page = await readFile(join(root, 'SECURITY.md'), 'utf8')
    const listed = JSON.parse(
      await readFile(join(root, 'tooling/security-claims.json'), 'utf8'),
    ) as readonly Sentence[]
    assert.ok(listed.length > 140, String(listed.length))
    assert.deepEqual(await unlisted(page, listed), [])
  })

  test('without a line in the list, a test or a reason are reported, and so are lines that the page does not have', async () => {
    const page = '# A\n\n**Locks.** Doors are [locked](a.md). Keys\nare hidden.\n\n- **Cats** sleep.\n'
    assert.deepEqual(sentencesOf(page), ['Doors are locked.', 'Keys are hidden.', '**Cats** sleep.'])
    const cats = {
      says: '**Cats** sleep.',
      tests: ['tooling/src/claims.test.ts: the sentences of SECURITY.md'],
    }
    const keys = { says: 'Keys are hidden.', untested: 'nobody looks' }
    assert.deepEqual(await unlisted(page, [{ says: 'Doors are locked.' }, keys, cats]), [
      '1: no test: Doors are locked.',
    ])
    assert.deepEqual(await unlisted(page, [keys, cats, { says: 'Dogs bark.', untested: 'no dog' }]), [
      'not listed: Doors are locked.',
      'not said: Dogs bark.',
    ])
  })
})

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
