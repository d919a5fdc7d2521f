import type { Check, CheckName, Outcome } from '@millseal/proof'
import type { Terminal } from '../frame/terminal.ts'
import type { Mode } from './ask-server.ts'
import type { Judgement, Verdict } from './judge.ts'

type About = {
  readonly terminal: Terminal
  /** Who was asked; nobody where a bundle was given. */
  readonly source: { readonly server: string; readonly mode: Mode } | undefined
  /** The server whose own word about its key was taken. */
  readonly trusted: string | undefined
}

export const checklist = (path: string, verdict: Verdict, about: About): string => {
  const { terminal, trusted } = about
  const lines = [...judgementLines(path, verdict, about)]
  if (verdict.embedded !== undefined) {
    lines.push(
      '',
      'The PDF was changed or saved anew since it was notarized. The certificate (JSON) that it carries:',
      ...judgementLines('the embedded certificate', verdict.embedded, about),
    )
  }
  if (trusted !== undefined && [verdict, verdict.embedded].some((one) => (one?.checks.length ?? 0) > 0)) {
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
  { terminal, source }: About,
): string[] => {
  const headline = `${what}: ${isValid ? terminal.good('VALID') : terminal.bad('NOT VALID')}`
  if (checks.length === 0) {
    const where = source === undefined ? 'The bundle' : `The ${source.mode} ledger of ${source.server}`
    const other = source === undefined ? '' : ` Was it notarized in ${otherMode(source.mode)} mode?`
    return [headline, `  ${where} holds no ${file.kind.toUpperCase()} of SHA-256 ${file.hash}.${other}`]
  }
  return [headline, ...checks.map((check) => checkLine(check, terminal))]
}

const otherMode = (mode: Mode): Mode => (mode === 'live' ? 'test' : 'live')

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
