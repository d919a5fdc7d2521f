import type { Mode } from './mode.ts'

export type Answer = 'yes' | 'no' | 'unknown'

/** The four questions about a certificate. */
export type Answers = {
  readonly unchanged: Answer
  readonly issuer: Answer
  readonly time: Answer
  readonly status: Answer
}

/** What the log says, as of its checkpoint. */
export type LogVerdict =
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

/**
 * Of a verifier that asks nobody. `unconfirmed`: it would be genuine, but no quorum of the policy has signed the checkpoint.
 * `oldStatus`: it was genuine, but the checkpoint is too old to say whether it still is.
 */
export type Verdict = LogVerdict | 'unconfirmed' | 'oldStatus'

/** The table of docs/bundle.md: the first row that applies. */
export const verdictOf = ({
  answers,
  mode,
  correction,
}: {
  readonly answers: Answers
  readonly mode: Mode | undefined
  readonly correction: 'withdrawn' | 'replaced' | 'revoked' | undefined
}): LogVerdict => {
  if (answers.unchanged === 'unknown') return 'unchecked'
  if (answers.unchanged === 'no') return 'altered'
  if (correction !== undefined) return correction
  if (answers.issuer === 'no') return 'refused'
  if (mode === 'test') return 'test'
  if (answers.issuer === 'unknown') return 'unknownIssuer'
  return answers.status === 'unknown' ? 'unknownStatus' : 'genuine'
}

/** What a genuine certificate can lack. */
type Lacking = { readonly isUnconfirmed: boolean; readonly isStatusOld: boolean }

/** The rows before `genuine`, for a verifier that cannot ask the log. */
export const offlineVerdict = (verdict: LogVerdict, { isUnconfirmed, isStatusOld }: Lacking): Verdict => {
  if (verdict !== 'genuine') return verdict
  if (isUnconfirmed) return 'unconfirmed'
  return isStatusOld ? 'oldStatus' : verdict
}

/** For scripts: 0 only if nothing is missing. A test certificate is accepted only by a caller that asked for one. */
export const exitCodeOf = (
  verdict: Verdict,
  {
    issuer,
    status,
    isTestWanted,
    ...lacking
  }: Pick<Answers, 'issuer' | 'status'> & Lacking & { readonly isTestWanted: boolean },
): number => {
  if (verdict !== 'test') return exitCodes[verdict]
  if (!isTestWanted || issuer !== 'yes' || status !== 'yes') return 3
  return exitCodes[offlineVerdict('genuine', lacking) as keyof typeof exitCodes]
}

const exitCodes: Readonly<Record<Exclude<Verdict, 'test'>, number>> = {
  genuine: 0,
  altered: 1,
  notFound: 1,
  unknownIssuer: 3,
  unknownStatus: 3,
  refused: 3,
  unconfirmed: 3,
  revoked: 4,
  withdrawn: 4,
  replaced: 4,
  unchecked: 5,
  oldStatus: 6,
}
