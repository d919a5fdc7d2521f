import type { Confirmation } from './confirmation.ts'
import type { Mode } from './mode.ts'
import { plainLine } from './plain-line.ts'
import type { Issuer } from './issuer.ts'
import type { Status } from './status.ts'
import { type Answers, offlineVerdict, type Verdict, verdictOf } from './verdict.ts'

/** `unknown`: nothing is wrong, but nothing that the verifier trusts confirms it. */
export type Outcome = 'passed' | 'failed' | 'unknown'

export type CheckName =
  | 'bundle'
  | 'file'
  | 'transaction'
  | 'log'
  | 'issuer'
  | 'time'
  | 'status'
  | 'confirmation'

export type Check = {
  readonly name: CheckName
  readonly outcome: Outcome
  /** The result in one sentence. */
  readonly says: string
}

/** What the bundle proves; absent if it proves nothing. */
export type Facts = {
  readonly origin: string
  readonly mode: Mode | undefined
  readonly transactionId: string
  /** When the log recorded the certificate. */
  readonly time: string | undefined
  /** The position of its entry, and the number of entries. */
  readonly index: number
  readonly size: number
  /** The time of the checkpoint: what the log says about corrections holds as of then. */
  readonly asOf: string | undefined
  /** Full days from then until the verification. */
  readonly statusAgeDays: number | undefined
  /** Whether that is longer than the reader accepts. */
  readonly isStatusOld: boolean
  readonly confirmation: Confirmation
  /** Whether the policy demands a quorum that has not signed. */
  readonly isUnconfirmed: boolean
  readonly issuer: Issuer
  readonly status: Status
}

export type Report = {
  readonly verdict: Verdict
  readonly answers: Answers
  readonly checks: readonly Check[]
  readonly facts?: Facts
}

const unchangedBy = (checks: readonly Check[]): Answers['unchanged'] => {
  const outcomes = checks.filter(({ name }) => isAboutTheFile(name)).map(({ outcome }) => outcome)
  if (outcomes.includes('failed')) return 'no'
  return outcomes.includes('unknown') ? 'unknown' : 'yes'
}

export const reportOf = (checks: readonly Check[], facts?: Facts): Report => {
  const answers: Answers = {
    unchanged: unchangedBy(checks),
    issuer: facts?.issuer.answer ?? 'unknown',
    time: facts?.time === undefined ? 'unknown' : 'yes',
    status: facts?.status.answer ?? 'unknown',
  }
  const said = verdictOf({ answers, mode: facts?.mode, correction: facts?.status.newest?.kind })
  const verdict = facts === undefined ? said : offlineVerdict(said, facts)
  const safe = checks.map((check) => ({ ...check, says: plainLine(check.says) }))
  return { verdict, answers, checks: safe, ...(facts === undefined ? {} : { facts }) }
}

const aboutTheFile: readonly CheckName[] = ['bundle', 'file', 'transaction', 'log']
const isAboutTheFile = (name: CheckName): boolean => aboutTheFile.includes(name)
