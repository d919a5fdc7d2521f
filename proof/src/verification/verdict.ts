import type { Mode } from './mode.ts'

export type Answer = 'yes' | 'no' | 'unknown'

/** The four questions about a certificate. */
export type Answers = {
  readonly unchanged: Answer
  readonly issuer: Answer
  readonly time: Answer
  readonly status: Answer
}

export type Verdict =
  | 'genuine'
  | 'unknownIssuer'
  | 'unknownStatus'
  | 'test'
  | 'refused'
  | 'replaced'
  | 'withdrawn'
  | 'revoked'
  | 'altered'
  | 'unchecked'
  /** There is no bundle: nothing is recorded for this file. */
  | 'notFound'

/** The table of docs/bundle.md: the first row that applies. */
export const verdictOf = ({
  answers,
  mode,
  correction,
}: {
  readonly answers: Answers
  readonly mode: Mode | undefined
  readonly correction: 'withdrawn' | 'replaced' | 'revoked' | undefined
}): Verdict => {
  if (answers.unchanged === 'unknown') return 'unchecked'
  if (answers.unchanged === 'no') return 'altered'
  if (correction !== undefined) return correction
  if (answers.issuer === 'no') return 'refused'
  if (mode === 'test') return 'test'
  if (answers.issuer === 'unknown') return 'unknownIssuer'
  return answers.status === 'unknown' ? 'unknownStatus' : 'genuine'
}

/** For scripts: 0 only if nothing is missing. A test certificate is accepted only by a caller that asked for one. */
export const exitCodeOf = (
  verdict: Verdict,
  { issuer, status, isTestWanted }: Pick<Answers, 'issuer' | 'status'> & { readonly isTestWanted: boolean },
): number => {
  if (verdict === 'test') return isTestWanted && issuer === 'yes' && status === 'yes' ? 0 : 3
  return exitCodes[verdict]
}

const exitCodes: Readonly<Record<Exclude<Verdict, 'test'>, number>> = {
  genuine: 0,
  altered: 1,
  notFound: 1,
  unknownIssuer: 3,
  unknownStatus: 3,
  refused: 3,
  revoked: 4,
  withdrawn: 4,
  replaced: 4,
  unchecked: 5,
}
