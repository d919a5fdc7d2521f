import { exitCodeOf, type Report } from '@millseal/proof/verifier'
import type { Mode } from './fetch-proof.ts'

/** Why a certificate is refused that is not of the mode that the user asked for. */
export const refusalOfMode = ({ verdict, facts }: Report, expected: Mode | undefined): string | undefined => {
  if (expected === undefined || facts === undefined || facts.mode === expected || verdict === 'altered')
    return undefined
  const asked = `You asked for a ${expected} certificate (--mode ${expected})`
  if (facts.mode === undefined) return `REFUSED: ${asked}. The name of its log does not say its mode.`
  return facts.mode === 'test'
    ? `REFUSED: ${asked}. This is a TEST certificate: it does not describe real material.`
    : `REFUSED: ${asked}. This is a live certificate.`
}

/** A certificate of another mode than the expected one is never 0. */
export const exitCodeIn = (report: Report, expected: Mode | undefined): number => {
  const { verdict, answers, facts } = report
  const code = exitCodeOf(verdict, {
    ...answers,
    isStatusOld: facts?.isStatusOld ?? false,
    isUnconfirmed: facts?.isUnconfirmed ?? false,
    isTestWanted: expected === 'test',
  })
  return refusalOfMode(report, expected) !== undefined && [0, 6].includes(code) ? 3 : code
}
