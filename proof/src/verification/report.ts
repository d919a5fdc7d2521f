import { plainLine } from './plain-line.ts'

/** `unknown`: nothing speaks against it, and nothing that the verifier trusts speaks for it. */
export type Outcome = 'passed' | 'failed' | 'unknown'

export type CheckName = 'file' | 'transaction' | 'log' | 'issuer' | 'time' | 'anchors'

export type Check = {
  readonly name: CheckName
  readonly outcome: Outcome
  /** One sentence for the person who asked. */
  readonly says: string
}

export type Report = {
  /** The file is intact, its transaction sound, and the log that the policy names holds it; nothing failed. */
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
