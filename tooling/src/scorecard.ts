import { readFileSync } from 'node:fs'

export type Proof = { readonly file: string; readonly test: string }

export type Row = {
  readonly number: number
  readonly fault: string
  readonly expected: string
  readonly proofs: readonly Proof[]
  /** The part without a test, and why it has none. */
  readonly missing?: string
}

type Written = {
  readonly fault: string
  readonly expected: string
  /** A file and a part of the title of one of its tests: `file: title`. */
  readonly tests: readonly string[]
  readonly missing?: string
}

const written = JSON.parse(
  readFileSync(new URL('../scorecard.json', import.meta.url), 'utf8'),
) as readonly Written[]

export const scorecard: readonly Row[] = written.map(({ tests, ...row }, index) => ({
  ...row,
  number: index + 1,
  proofs: tests.map((proof) => {
    const at = proof.indexOf(': ')
    return { file: proof.slice(0, at), test: proof.slice(at + 2) }
  }),
}))

/** The page docs/reliability-scorecard.md. */
export const scorecardPage = (): string => {
  const proved = scorecard.filter(({ proofs }) => proofs.length > 0).length
  const rows = scorecard.map(({ number, fault, expected, proofs, missing }) => {
    const tests = proofs.map(({ file, test }) => `[${file.split('/').at(-1)}](../${file}): “${test}”`)
    const rest = missing === undefined ? [] : [`**no test:** ${missing}`]
    return `| ${number} | ${fault} | ${expected} | ${[...tests, ...rest].join('<br>')} |`
  })
  return [
    '# Reliability scorecard',
    '',
    'Faults and attacks, the expected result, and the tests that prove it. `script/dump` generates this page from',
    '`tooling/scorecard.json`; CI checks that it is current and that the tests exist.',
    '',
    `${proved} of ${scorecard.length} rows have a test. A row says which part of it has none.`,
    '`script/sabotage` breaks 20 of the rows, one at a time: the tests of each noticed it.',
    '',
    '| # | fault or attack | expected | test |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
