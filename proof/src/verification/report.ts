import { plainLine } from './plain-line.ts'

/** `unknown`: nothing is wrong, but nothing that the verifier trusts confirms it. */
export type Outcome = 'passed' | 'failed' | 'unknown'

export type CheckName = 'file' | 'transaction' | 'log' | 'issuer' | 'time' | 'anchors'

export type Check = {
  readonly name: CheckName
  readonly outcome: Outcome
  /** The result in one sentence. */
  readonly says: string
}

export type Report = {
  /** The file is unchanged, its transaction is valid, a trusted log contains it, and no check failed. */
  readonly isValid: boolean
  readonly checks: readonly Check[]
}

const decisive: readonly CheckName[] = ['file', 'transaction', 'log']

export const reportOf = (checks: readonly Check[]): Report => ({
  isValid: checks.every(
    ({ name, outcome }) => outcome === 'passed' || (outcome === 'unknown' && !decisive.includes(name)),
  ),
  checks: checks.map((check) => ({ ...check, says: plainLine(check.says) })),
})
