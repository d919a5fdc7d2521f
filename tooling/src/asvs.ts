import { readFileSync } from 'node:fs'

export type Requirement = {
  readonly id: string
  readonly level: number
  /** What it asks for, in our words. */
  readonly what: string
  readonly verdict: 'holds' | 'does not hold' | 'does not apply'
  /** Tests by a part of their title, or documents by a part of their text. */
  readonly proofs: readonly { readonly file: string; readonly text: string }[]
  readonly reason?: string
}

type Written = Omit<Requirement, 'verdict' | 'proofs'> & {
  readonly verdict?: 'does not hold' | 'does not apply'
  /** `file: text` */
  readonly proofs?: readonly string[]
}

const written = JSON.parse(
  readFileSync(new URL('../asvs.json', import.meta.url), 'utf8'),
) as readonly Written[]

export const requirements: readonly Requirement[] = written.map((row) => ({
  ...row,
  verdict: row.verdict ?? 'holds',
  proofs: (row.proofs ?? []).map((proof) => {
    const at = proof.indexOf(': ')
    return { file: proof.slice(0, at), text: proof.slice(at + 2) }
  }),
}))

const rowOf = ({ id, level, what, verdict, proofs, reason }: Requirement): string => {
  const links = proofs.map(({ file, text }) => `[${file.split('/').at(-1)}](../${file}): “${text}”`)
  const evidence = [...links, ...(reason === undefined ? [] : [reason])].join('<br>')
  return `| ${id} | ${level} | ${what} | ${verdict === 'does not hold' ? '**does not hold**' : verdict} | ${evidence} |`
}

/** The page docs/asvs.md. */
export const asvsPage = (): string => {
  const count = (verdict: Requirement['verdict']): number =>
    requirements.filter((requirement) => requirement.verdict === verdict).length
  return [
    '# OWASP ASVS 5.0.0',
    '',
    'Every requirement of levels 1 and 2 of the [Application Security Verification',
    'Standard](https://github.com/OWASP/ASVS/tree/v5.0.0/5.0), and level 3 for cryptography, secrets and logs (V11, V13.3, V16).',
    'Numbers and levels are those of the standard; the descriptions are ours, so read the standard for the exact text.',
    '`script/dump` generates this page from `tooling/asvs.json`; CI checks that it is current and that the tests exist.',
    '',
    `Of ${requirements.length} requirements ${count('holds')} hold, ${count('does not hold')} do not hold and ` +
      `${count('does not apply')} do not apply. We judged this ourselves: no other party has verified it.`,
    '',
    '| # | level | asks for | verdict | test, document or reason |',
    '| --- | --- | --- | --- | --- |',
    ...requirements.map(rowOf),
    '',
  ].join('\n')
}
