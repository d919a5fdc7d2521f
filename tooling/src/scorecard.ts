import { readFileSync } from 'node:fs'

export type Proof = { readonly file: string; readonly test: string }

export type Row = {
  readonly number: number
  readonly fault: string
  readonly expected: string
  readonly proofs: readonly Proof[]
  /** What of it is not proved, and why. */
  readonly missing?: string
}

type Written = {
  readonly fault: string
  readonly expected: string
  /** Each a file and a part of the name of one of its tests: `file: name`. */
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

/** Faults and attacks, and the test of each, as a page. */
export const scorecardPage = (): string => {
  const proved = scorecard.filter(({ proofs }) => proofs.length > 0).length
  const rows = scorecard.map(({ number, fault, expected, proofs, missing }) => {
    const tests = proofs.map(({ file, test }) => `[${file.split('/').at(-1)}](../${file}): “${test}”`)
    const rest = missing === undefined ? [] : [`**not proved:** ${missing}`]
    return `| ${number} | ${fault} | ${expected} | ${[...tests, ...rest].join('<br>')} |`
  })
  return [
    '# Reliability scorecard',
    '',
    'Faults and attacks, what must come of them, and the test that shows it. Written by `script/dump` from',
    '`tooling/scorecard.json`; CI compares, and fails where a test that is named here is not there.',
    '',
    `${proved} of ${scorecard.length} rows have a test; what of a row is not proved is said beside it.`,
    '',
    '| # | fault or attack | expected | test |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
