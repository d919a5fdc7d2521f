import type { Check, CheckName, Outcome } from '@millseal/proof'
import type { Terminal } from '../frame/terminal.ts'
import type { Mode } from './ask-server.ts'
import { isOnLedger, type Judgement, type Verdict } from './judge.ts'

type About = {
  readonly terminal: Terminal
  /** Who was asked; nobody where a bundle was given. */
  readonly source: { readonly server: string; readonly mode: Mode } | undefined
  /** The server whose own word about its key was taken. */
  readonly trusted: string | undefined
  /** The mode whose ledger has it, where that of the mode asked for has not. */
  readonly elsewhere: Mode | undefined
}

export const checklist = (path: string, verdict: Verdict, about: About): string => {
  const { terminal, trusted } = about
  const lines = [...judgementLines(path, verdict, about)]
  if (verdict.embedded !== undefined && verdict.embedded.checks.length > 0) {
    lines.push(
      '',
      verdict.embedded.isValid
        ? 'The PDF was changed or saved anew since it was notarized. The certificate (JSON) that it carries:'
        : 'The PDF is not what was notarized. The certificate (JSON) that it carries:',
      ...judgementLines('the embedded certificate', verdict.embedded, about),
    )
  }
  if (trusted !== undefined && isOnLedger(verdict)) {
    lines.push(
      '',
      terminal.faint(
        `The key of the log is what ${trusted} says it is. Compare it with what its operator publishes.`,
      ),
    )
  }
  return `${lines.join('\n')}\n`
}

const judgementLines = (
  what: string,
  { isValid, checks, file }: Judgement,
  { terminal, source, elsewhere }: About,
): string[] => {
  const headline = `${what}: ${isValid ? terminal.good('VALID') : terminal.bad('NOT VALID')}`
  if (checks.length === 0) {
    const where = source === undefined ? 'The bundle' : `The ${source.mode} ledger of ${source.server}`
    return [
      headline,
      `  ${where} holds no ${file.kind.toUpperCase()} of SHA-256 ${file.hash}.`,
      `  ${whyUnknown(elsewhere)}`,
    ]
  }
  return [headline, ...checks.map((check) => checkLine(check, terminal))]
}

const whyUnknown = (elsewhere: Mode | undefined): string => {
  if (elsewhere === undefined) return 'It was changed, or never notarized there.'
  const meaning = elsewhere === 'test' ? ', which stands for no material' : ''
  return `It was notarized in ${elsewhere} mode${meaning}: check it with --mode ${elsewhere}.`
}

const marks: Readonly<Record<Outcome, string>> = { passed: '✓', failed: '✗', unknown: '–' }
const labels: Readonly<Record<CheckName, string>> = {
  file: 'File',
  transaction: 'Transaction',
  log: 'Log',
  issuer: 'Issuer',
  time: 'Time',
  anchors: 'Anchors',
}

const checkLine = ({ name, outcome, says }: Check, { good, bad, faint }: Terminal): string => {
  const paint = { passed: good, failed: bad, unknown: faint }[outcome]
  return `  ${paint(marks[outcome])} ${labels[name].padEnd(12)} ${says}`
}
